import { forgetOldest } from '../base/forget-oldest'

const WINDOW_MS = 60 * 1000
const MAX_KEYS = 20_000

/** So many for each key in a minute, in this process: enough to be seen, too few to be a flood. */
export function fewEachMinute(most: number, now: () => Date) {
  const windows = new Map<string, { since: number; count: number }>()
  return (key: string): boolean => {
    const at = now().getTime()
    const known = windows.get(key)
    const window = known && at - known.since < WINDOW_MS ? known : { since: at, count: 0 }
    windows.set(key, window)
    if (windows.size > MAX_KEYS) forgetOldest(windows)
    window.count += 1
    return window.count <= most
  }
}
