import { attributesRead } from '../access/condition'
import type { Op } from '../context/op'
import type { UserAttribute } from '../settings/model'
import { conditionsWith } from '../store/grants'
import { invalidField } from './problem'

/** Attributes that admins defined have a type. Others are stored as they come. */

const IS_OF_TYPE: Record<UserAttribute['type'], (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}

const MUST_BE: Record<UserAttribute['type'], string> = {
  string: 'must be a text',
  number: 'must be a number',
  boolean: 'must be true or false',
  list: 'must be a list of texts',
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
  const open = new Set(before.filter(isOpen).map(({ key }) => key))
  after.forEach((attribute, at) => {
    const { key, inConditions, seenBy } = attribute
    if (after.findIndex((one) => one.key === key) !== at) {
      throw invalidField(`/userAttributes/${at}/key`, 'another attribute has this key')
    }
    if (isOpen(attribute) && seenBy !== 'user') {
      throw invalidField(`/userAttributes/${at}/seenBy`, 'users must see what they can change')
    }
    if (inConditions && (isOpen(attribute) || open.has(key) || retired.includes(key))) {
      throw invalidField(
        `/userAttributes/${at}/inConditions`,
        'users may have written the values of this attribute: define another one for conditions',
      )
    }
  })
}

function isOpen({ changedBy }: UserAttribute): boolean {
  return changedBy === 'user'
}

const MOST_READ = 1_000

/** Hiding what a stored condition reads would change decisions: a deny could stop to deny. */
export async function requireUnread(op: Op, after: readonly UserAttribute[]): Promise<void> {
  const known = new Set(
    op.settings
      .known()
      .userAttributes.filter(isHidden)
      .map(({ key }) => key),
  )
  for (const [at, attribute] of after.entries()) {
    const { key } = attribute
    if (!isHidden(attribute) || known.has(key)) continue
    const sources = await op.read((db) => conditionsWith(db, key, MOST_READ))
    if (!sources.some((source) => attributesRead(source).has(key))) continue
    throw invalidField(
      `/userAttributes/${at}/inConditions`,
      `a condition reads user.${key}: change the condition first, or let conditions read it`,
    )
  }
}

function isHidden({ inConditions }: UserAttribute): boolean {
  return !inConditions
}

/** Keys that conditions never read again: of attributes that are removed or closed to users. */
export function retiredAfter(
  before: readonly UserAttribute[],
  retired: readonly string[],
  after: readonly UserAttribute[],
): string[] {
  const kept = new Set(after.map(({ key }) => key))
  const hidden = before.filter((one) => isOpen(one) || (!one.inConditions && !kept.has(one.key)))
  return [...new Set([...retired, ...hidden.map(({ key }) => key)])]
}
