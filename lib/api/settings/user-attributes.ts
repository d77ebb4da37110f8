import { attributesRead } from '../../access/condition'
import type { Op } from '../../context/op'
import { type ErrorMessage, errorMessage } from '../../i18n/error-message'
import { attributeKeys, isOpenToUsers, type UserAttribute } from '../../settings/model'
import { conditionsWith } from '../../store/permissions/grants'
import { invalidField } from '../http/problem'
import { decidingAttributes } from './deciding-attributes'

/** Attributes that admins defined have a type. Others are stored as they come. */

const IS_OF_TYPE: Record<UserAttribute['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}

const MUST_BE: Record<UserAttribute['type'], ErrorMessage> = {
  string: errorMessage('text_needed'),
  number: errorMessage('number_needed'),
  boolean: errorMessage('yes_or_no_needed'),
  list: errorMessage('texts_needed'),
}

export function requireTyped(
  defined: readonly UserAttribute[],
  attributes: Readonly<Record<string, unknown>>,
): void {
  for (const { key, type } of defined) {
    if (!Object.hasOwn(attributes, key) || IS_OF_TYPE[type](attributes[key])) continue
    throw invalidField(`/attributes/${key}`, MUST_BE[type])
  }
}

/**
 * A value that a user wrote must not decide what that user may do. So an attribute that users can
 * change, or could change once, is never read by conditions.
 */
export function requireSafeAttributes(
  before: readonly UserAttribute[],
  retired: readonly string[],
  after: readonly UserAttribute[],
): void {
  const open = new Set(before.filter(isOpenToUsers).map(({ key }) => key))
  after.forEach((attribute, at) => {
    const { key, inConditions, seenBy } = attribute
    if (after.findIndex((one) => one.key === key) !== at) {
      throw invalidField(`/userAttributes/${at}/key`, errorMessage('attribute_twice'))
    }
    if (isOpenToUsers(attribute) && seenBy !== 'user') {
      throw invalidField(`/userAttributes/${at}/seenBy`, errorMessage('attribute_unseen'))
    }
    if (inConditions && (isOpenToUsers(attribute) || open.has(key) || retired.includes(key))) {
      throw invalidField(`/userAttributes/${at}/inConditions`, errorMessage('attribute_unsafe'))
    }
  })
}

const MAX_READ = 10_000

/**
 * Hiding what a stored condition reads would change decisions: a deny could stop to deny. Hiding
 * what names the approvers of a request would leave it without any.
 */
export async function requireUnread(op: Op, after: readonly UserAttribute[]): Promise<void> {
  const { hidden } = attributeKeys(op.settings.known())
  const places = after.map((attribute, at) => ({ ...attribute, at }))
  const hiding = places.filter(({ key, inConditions }) => !inConditions && !hidden.has(key))
  if (hiding.length === 0) return
  await requireUndeciding(op, hiding)
  for (const { at, key } of hiding) {
    const sources = await op.read((db) => conditionsWith(db, key, MAX_READ))
    // With more of them than are looked at, one of the others may read it.
    const isRead = sources.some((source) => attributesRead(source).has(key))
    if (!isRead && sources.length < MAX_READ) continue
    throw invalidField(
      `/userAttributes/${at}/inConditions`,
      errorMessage('attribute_read', { key }),
    )
  }
}

type Placed = UserAttribute & { at: number }

async function requireUndeciding(op: Op, hiding: readonly Placed[]): Promise<void> {
  const deciding = await decidingAttributes(op)
  for (const attribute of hiding) {
    const { at, key } = attribute
    const name = deciding.get(key)
    if (name === undefined) continue
    const field = isOpenToUsers(attribute) ? 'changedBy' : 'inConditions'
    const reason = errorMessage('attribute_decides', { key, name })
    throw invalidField(`/userAttributes/${at}/${field}`, reason)
  }
}

/** Keys that conditions never read again: of attributes that are removed or closed to users. */
export function retiredAfter(
  before: readonly UserAttribute[],
  retired: readonly string[],
  after: readonly UserAttribute[],
): string[] {
  const kept = new Set(after.map(({ key }) => key))
  const hidden = before.filter(
    (one) => isOpenToUsers(one) || (!one.inConditions && !kept.has(one.key)),
  )
  return [...new Set([...retired, ...hidden.map(({ key }) => key)])]
}
