import { spawn } from 'node:child_process'

/**
 * A shared machine stands still now and then, for up to a second. A process that does nothing but
 * look at the clock notices it, so that nobody else is blamed for the time.
 */

type Pause = { from: number; to: number }

export type PauseWatch = {
  /** Without the time within it in which the machine stood still. */
  net(from: number, to: number): number
  totalMs(): number
  stop(): void
}

const LOOK = `
  let last = Date.now()
  setInterval(() => {
    const now = Date.now()
    if (now - last > 100) process.stdout.write(JSON.stringify({ from: last + 10, to: now }) + '\\n')
    last = now
  }, 10)`

export function watchPauses(): PauseWatch {
  const pauses: Pause[] = []
  const watch = spawn(process.execPath, ['-e', LOOK], { stdio: ['ignore', 'pipe', 'ignore'] })
  let unread = ''
  watch.stdout.on('data', (chunk) => {
    const lines = (unread + chunk).split('\n')
    unread = lines.pop() ?? ''
    pauses.push(...lines.map((line) => JSON.parse(line) as Pause))
  })
  const within = (from: number, to: number) =>
    pauses.reduce(
      (sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)),
      0,
    )
  return {
    net: (from, to) => to - from - within(from, to),
    totalMs: () => within(0, Number.POSITIVE_INFINITY),
    stop: () => watch.kill(),
  }
}
