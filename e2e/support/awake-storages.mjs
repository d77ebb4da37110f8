import { AsyncLocalStorage } from 'node:async_hooks'

/** Loaded before the portal: on SIGUSR2 it prints how many of the storages that were used are awake. */

const used = new Set()
const { run } = AsyncLocalStorage.prototype
AsyncLocalStorage.prototype.run = function noted(...args) {
  used.add(this)
  return run.apply(this, args)
}

process.on('SIGUSR2', () => {
  const awake = [...used].filter(({ enabled }) => enabled)
  process.stdout.write(`${used.size} storages used, ${awake.length} awake\n`)
})
