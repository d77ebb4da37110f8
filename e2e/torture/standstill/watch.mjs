// Within the portal that is measured: on SIGUSR2 writes down the longest time, in milliseconds, for
// which its event loop stood still since it was last asked, by the clock and by the processor. On a
// machine with other things to do the clock also counts what others did meanwhile.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const file = `${process.env.STANDSTILL_FILE}.${process.pid}`
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

/** Of this very thread, in milliseconds; where Linux does not tell, of all of the process. */
function processorMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  } catch {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e3
  }
}

let busy = 0
let before = processorMs()
setInterval(() => {
  const now = processorMs()
  busy = Math.max(busy, now - before)
  before = now
}, RESOLUTION_MS).unref()

process.on('SIGUSR2', () => {
  const clock = delay.max / 1e6 - RESOLUTION_MS
  writeFileSync(`${file}.new`, JSON.stringify({ clock, busy }))
  delay.reset()
  busy = 0
  renameSync(`${file}.new`, file)
})
