// Within the portal that is measured: on SIGUSR2 writes down the longest time, in milliseconds, for
// which its event loop stood still since it was last asked.
import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 1
const { STANDSTILL_FILE } = process.env
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('SIGUSR2', () => {
  writeFileSync(`${STANDSTILL_FILE}.new`, String(delay.max / 1e6 - RESOLUTION_MS))
  delay.reset()
  renameSync(`${STANDSTILL_FILE}.new`, STANDSTILL_FILE)
})
