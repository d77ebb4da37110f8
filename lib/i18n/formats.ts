/** The formatters of `Intl`. Making one takes longer than all its use on a page, so each is kept. */

const kept = new Map<string, unknown>()
/** Readers choose their time zone: the oldest goes, so that they cannot fill the memory. */
const MOST_KEPT = 500

function once<T>(kind: string, locale: string, options: object, make: () => T): T {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`
  const known = kept.get(key) as T | undefined
  if (known) return known
  const made = make()
  const [oldest] = kept.keys()
  if (oldest !== undefined && kept.size >= MOST_KEPT) kept.delete(oldest)
  kept.set(key, made)
  return made
}

export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions) {
  return once('date', locale, options, () => new Intl.DateTimeFormat(locale, options))
}

export function numberFormat(locale: string, options: Intl.NumberFormatOptions = {}) {
  return once('number', locale, options, () => new Intl.NumberFormat(locale, options))
}

export function relativeFormat(locale: string) {
  const options = { numeric: 'auto' } as const
  return once('relative', locale, options, () => new Intl.RelativeTimeFormat(locale, options))
}

export function pluralRules(locale: string) {
  return once('plural', locale, {}, () => new Intl.PluralRules(locale))
}
