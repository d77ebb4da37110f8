import { jsonObject } from '../base/json-text'
import type { SearchParams } from './list'

/** What conditions look at, from the fields of a page's address to the API's `context`. */

export const OCCASION_FIELDS = [
  'time',
  'ip',
  'acr',
  'amr',
  'authAge',
  'userAgent',
  'properties',
] as const
export type OccasionField = (typeof OCCASION_FIELDS)[number]
export type Occasion = Partial<Record<OccasionField, string>>

/** One text of each name; what is there twice or empty is not there. */
export function textsIn<const Name extends string>(
  params: SearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const given = names.map((name) => [name, params[name]] as const)
  const texts = given.filter(([, value]) => typeof value === 'string' && value.trim() !== '')
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value).trim()])) as Partial<
    Record<Name, string>
  >
}

/** Null where the attributes are no JSON object. */
export function contextOf(occasion: Occasion) {
  const { time, ip, acr, amr, authAge, userAgent, properties } = occasion
  const more = properties === undefined ? undefined : jsonObject(properties)
  if (more === null) return null
  return {
    ...(time !== undefined && { time: withZone(time) }),
    ...(ip !== undefined && { ip }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr: amr.split(/\s+/) }),
    ...(authAge !== undefined && { authAge: Number(authAge) }),
    ...(userAgent !== undefined && { userAgent }),
    ...(more !== undefined && { properties: more }),
  }
}

/** A browser's date field knows no zone and leaves out seconds: it is UTC here. */
function withZone(time: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(time)) return time
  return `${time.length === 16 ? `${time}:00` : time}Z`
}
