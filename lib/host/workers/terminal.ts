import { isatty } from 'node:tty'

/**
 * SIGHUP has two meanings: the operator sends it to hand over, and a terminal sends it when it is
 * closed. A terminal that was there at the start and no longer answers is closed.
 */

const STANDARD_INPUT = 0

export function whenTerminalIsThere(then: () => void, otherwise: () => void): () => void {
  const had = isatty(STANDARD_INPUT)
  return () => (had && !isatty(STANDARD_INPUT) ? otherwise() : then())
}
