import { isPlainText } from '../base/plain-text'
import type { Op } from '../context/op'
import { attributesIn } from '../settings/attribute-text'
import { isOpenToUsers, MAX_ATTRIBUTES_SIZE, type UserAttribute } from '../settings/model'
import type { Session } from '../store/accounts/sessions'
import { findUser, updateUser } from '../store/accounts/users'
import { type Origin, ownEvent } from './audit-event'

/** Attributes that admins defined for users to see, and those that users change themselves. */

type OwnAttributes = {
  shown: readonly { attribute: UserAttribute; value: unknown }[]
  open: readonly UserAttribute[]
  values: Readonly<Record<string, unknown>>
}

export async function ownAttributes(op: Op, { user }: Session): Promise<OwnAttributes> {
  const { userAttributes } = await op.settings.current()
  const seen = userAttributes.filter(({ seenBy }) => seenBy === 'user')
  const open = seen.filter(isOpenToUsers)
  if (seen.length === 0) return { shown: [], open, values: {} }
  const record = await op.read((db) => findUser(db, user.id))
  const all = record?.attributes ?? {}
  const fixed = seen.filter((attribute) => !isOpenToUsers(attribute))
  const shown = fixed.map((attribute) => ({ attribute, value: all[attribute.key] ?? null }))
  // Only what the user may see: it is in the source of the page.
  const values = Object.fromEntries(open.map(({ key }) => [key, all[key]]))
  return { shown, open, values }
}

const MAX_LINES = 50
const MAX_LINE_LENGTH = 200

/** What users write reaches admins and applications: short and plain. */
function isModest(value: unknown): boolean {
  const lines = [value].flat()
  return (
    lines.length <= MAX_LINES &&
    lines.every((line) => typeof line !== 'string' || isModestLine(line))
  )
}

function isModestLine(line: string): boolean {
  return line.length <= MAX_LINE_LENGTH && !line.includes('\n') && isPlainText(line)
}

type SavedAttributes = { ok: true } | { ok: false; wrong: string | null }

/** Only those that are open to users, whatever was sent (attack M31). */
export async function saveOwnAttributes(
  op: Op,
  session: Session,
  textOf: (field: string) => string,
  origin: Origin,
): Promise<SavedAttributes> {
  const open = (await op.settings.current()).userAttributes.filter(isOpenToUsers)
  const read = attributesIn(open, textOf)
  if ('wrong' in read) return { ok: false, wrong: read.wrong }
  const odd = Object.entries(read.attributes).find(([, value]) => !isModest(value))
  if (odd) return { ok: false, wrong: odd[0] }
  const keys = new Set(open.map(({ key }) => key))
  return op.write(async (tx, audit) => {
    const record = await findUser(tx, session.user.id)
    if (!record) return { ok: false, wrong: null }
    const kept = Object.entries(record.attributes).filter(([key]) => !keys.has(key))
    const attributes = { ...Object.fromEntries(kept), ...read.attributes }
    const size = Buffer.byteLength(JSON.stringify(attributes))
    if (size > MAX_ATTRIBUTES_SIZE) return { ok: false, wrong: open[0]?.key ?? null }
    if ((await updateUser(tx, record, { attributes }, op.now())) !== 1) {
      return { ok: false, wrong: null }
    }
    audit(ownEvent('profile.changed', session, origin))
    return { ok: true }
  })
}
