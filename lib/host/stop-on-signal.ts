const SECOND_SIGNAL_MS = 500

/**
 * Stops in order, within `longestMs` even if something hangs. A second Ctrl-C, sent after npm has
 * passed on the first, ends it at once. `stop` returns the exit code.
 */
export function stopOnSignal(stop: () => Promise<number>, longestMs: number): void {
  let stoppingSince = 0
  const onSignal = async () => {
    if (stoppingSince > 0) {
      if (performance.now() - stoppingSince > SECOND_SIGNAL_MS) process.exit(1)
      return
    }
    stoppingSince = performance.now()
    setTimeout(() => process.exit(1), longestMs).unref()
    process.exit(await stop())
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}
