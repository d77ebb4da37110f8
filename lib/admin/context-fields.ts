import { jsonObject } from '../base/json-text'
import type { SearchParams } from '../browser/page-props'

/** The context of conditions, from the fields of a page's URL to the `context` of the API. */

export const CONTEXT_FIELDS = [
  'time',
  'ip',
  'acr',
  'amr',
  'authAge',
  'userAgent',
  'properties',
] as const
export type ContextField = (typeof CONTEXT_FIELDS)[number]
export type ContextTexts = Partial<Record<ContextField, string>>

/** One text for each name; repeated and empty values are ignored. */
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

/** Null if the attributes are not a JSON object. */
export function contextOf(texts: ContextTexts) {
  const { time, ip, acr, amr, authAge, userAgent, properties } = texts
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

/** A date field of a browser has no time zone and may omit seconds: it is read as UTC. */
function withZone(time: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(time)) return time
  return `${time.length === 16 ? `${time}:00` : time}Z`
}
