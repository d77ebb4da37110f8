/** How a page may be looked at. */
export type Look = readonly [colorScheme: 'light' | 'dark', locale: string, width: number]

/** As different as can be: for pages made of parts that others show in every way. */
export const OPPOSITE_LOOKS: readonly Look[] = [
  ['light', 'en-GB', 390],
  ['dark', 'zh-CN', 1440],
]

/** Of pages made of the same parts, one look has every second one, and the other the rest. */
export function everySecond<T>(pages: readonly T[], colorScheme: Look[0]): T[] {
  return pages.filter((_page, at) => at % 2 === (colorScheme === 'light' ? 0 : 1))
}
