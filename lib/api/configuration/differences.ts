import type { Thing } from './operator'

/** What would change, in one line. */

/** Only what the document names counts: `name`, `permissions +orders:refund -orders:void`. */
export function differences(was: object, after: Thing): { changed: Thing; said: string[] } {
  const before = new Map<string, unknown>(Object.entries(was))
  const textOf = (member: string, value: unknown) => canonical({ [member]: value ?? null })
  const changed = Object.keys(after).filter(
    (member) => textOf(member, before.get(member)) !== textOf(member, after[member]),
  )
  return {
    changed: Object.fromEntries(changed.map((member) => [member, after[member]])),
    said: changed.map((member) => said(member, before.get(member), after[member])),
  }
}

function said(member: string, before: unknown, after: unknown): string {
  if (Array.isArray(before) && Array.isArray(after) && [...before, ...after].every(hasName)) {
    const [had, has] = [named(before), named(after)]
    const added = [...has].filter(([key, text]) => had.get(key) !== text).map(([key]) => `+${key}`)
    const gone = [...had.keys()].filter((key) => !has.has(key)).map((key) => `-${key}`)
    return [member, ...added, ...gone].join(' ')
  }
  if (isPlain(before) && isPlain(after)) return `${member} ${show(before)} -> ${show(after)}`
  return member
}

function named(list: unknown[]): Map<string, string> {
  return new Map(list.map((one) => [nameOf(one), canonical(one)]))
}

function nameOf(one: unknown): string {
  if (typeof one !== 'object' || one === null) return String(one)
  return String(nameIn(one) ?? canonical(one))
}

function nameIn(one: object): unknown {
  const { key, pattern, id, name } = one as Record<string, unknown>
  return key ?? pattern ?? id ?? name
}

/** A stage of a request rule has none: in one line, it would be unreadable. */
function hasName(one: unknown): boolean {
  return isPlain(one) || nameIn(Object(one)) !== undefined
}

function isPlain(value: unknown): boolean {
  return value === null || value === undefined || typeof value !== 'object'
}

function show(value: unknown): string {
  return JSON.stringify(value ?? null).slice(0, 60)
}

/** What decides one after the other: another order is another rule. */
const IN_ORDER: ReadonlySet<string> = new Set(['stages', 'order'])

/** Independent of the order of members and of other lists, and of how a time is written. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (name, member) => {
    if (typeof member === 'string') return inUtc(member)
    if (Array.isArray(member)) {
      const texts = member.map((one) => canonical(one))
      return IN_ORDER.has(name) ? texts : texts.sort()
    }
    if (typeof member !== 'object' || member === null) return member
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/

/** A name may begin like a time and be none. */
function inUtc(text: string): string {
  const at = MOMENT.test(text) ? new Date(text) : null
  return at === null || Number.isNaN(at.getTime()) ? text : at.toISOString()
}
