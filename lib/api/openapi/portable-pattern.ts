/**
 * Regular expressions in the OpenAPI document. JSON Schema wants those of ECMA-262, but readers of
 * the document compile them with what they have: without the `u` flag, or with RE2, Java or Python.
 * So the document holds only what means the same to all of them.
 */

/** The control characters (Unicode category Cc) are two ranges. */
const CONTROL = /\\p\{Cc\}/g
const CONTROL_RANGES = '\\x00-\\x1F\\x7F-\\x9F'

/**
 * Lookaround, named groups and back references (RE2 has none, and others write them differently),
 * Unicode properties (not without `u`, not in Python), and `\u`, `\c`, `\d`-like letters that are
 * not common to all.
 */
const NOT_PORTABLE =
  /\(\?(?!:)|\\(?![dDwWsSnrt.*+?^$()[\]{}|/\\-]|x[0-9A-Fa-f]{2})|(?:^|[^\\])\$(?!$|\||\))/

export function isPortable(pattern: string): boolean {
  return !NOT_PORTABLE.test(pattern)
}

/** The same expression for every reader; null if there is none. */
export function portablePattern(pattern: string): string | null {
  const plain = pattern.replace(CONTROL, CONTROL_RANGES)
  return isPortable(plain) ? plain : null
}
