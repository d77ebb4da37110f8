/**
 * With `--import`, a process in which more than a minute passes at each SIGUSR2. LATER_BY_MS: how far
 * its clock is ahead from the start.
 */

const STEP_MS = 61_000
const { now } = Date
let ahead = Number(process.env.LATER_BY_MS ?? 0)

globalThis.Date = class extends Date {
  constructor(...given) {
    if (given.length === 0) super(now() + ahead)
    else super(...given)
  }

  static now() {
    return now() + ahead
  }
}

process.on('SIGUSR2', () => {
  ahead += STEP_MS
})
