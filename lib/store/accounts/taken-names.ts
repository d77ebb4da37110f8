import type { TargetKind } from '../../base/events'
import type { Reader } from '../database/connection'
import { prisma } from '../database/database'
import { foldedKey } from '../database/folded-key'

/** What has a name already that must be unique: see `isUniqueViolation`. */

/** The member whose value is taken, as the sentence for it is called, and the name of its holder. */
export type TakenName = {
  member: string
  code:
    | 'taken_email'
    | 'taken_username'
    | 'taken_user_id'
    | 'taken_group'
    | 'taken_space'
    | 'taken_role'
    | 'taken_prefix'
    | 'taken_audience'
    | 'taken_permission'
    | 'taken_client_id'
    | 'taken_access_key'
    | 'taken_rule'
  name: string
}

/** `id` is the object that was to be written, which may have the value itself. */
type Wanted = { id: string; values: Readonly<Record<string, unknown>>; space: string }
type Holder = { id: string; name: string | null } | null
type Rule = Omit<TakenName, 'name'> & {
  holderOf(db: Reader, value: string, space: string): Promise<Holder>
}

const NAMED = { select: { id: true, name: true } } as const
const APPLICATION = { select: { id: true, application: { select: { name: true } } } } as const

const RULES: Partial<Record<TargetKind, readonly Rule[]>> = {
  user: [
    {
      member: 'id',
      code: 'taken_user_id',
      holderOf: (db, id) => prisma(db).user.findUnique({ where: { id }, ...NAMED }),
    },
    {
      member: 'email',
      code: 'taken_email',
      holderOf: (db, email) =>
        prisma(db).user.findUnique({ where: { emailKey: foldedKey(email) }, ...NAMED }),
    },
    {
      member: 'username',
      code: 'taken_username',
      holderOf: (db, name) =>
        prisma(db).user.findUnique({ where: { usernameKey: foldedKey(name) }, ...NAMED }),
    },
  ],
  group: [
    {
      member: 'key',
      code: 'taken_group',
      holderOf: (db, key) => prisma(db).group.findUnique({ where: { key }, ...NAMED }),
    },
  ],
  space: [
    {
      member: 'key',
      code: 'taken_space',
      holderOf: (db, key) => prisma(db).space.findUnique({ where: { key }, ...NAMED }),
    },
  ],
  role: [
    {
      member: 'key',
      code: 'taken_role',
      holderOf: (db, key, space) =>
        prisma(db).role.findFirst({
          where: { key, space: { OR: [{ id: space }, { key: space }] } },
          ...NAMED,
        }),
    },
  ],
  resource: [
    {
      member: 'prefix',
      code: 'taken_prefix',
      holderOf: (db, prefix) => prisma(db).api.findUnique({ where: { prefix }, ...NAMED }),
    },
    {
      member: 'audience',
      code: 'taken_audience',
      holderOf: (db, audience) => prisma(db).api.findUnique({ where: { audience }, ...NAMED }),
    },
  ],
  permission: [
    {
      member: 'key',
      code: 'taken_permission',
      async holderOf(db, key) {
        const select = { id: true, api: { select: { name: true } } } as const
        const row = await prisma(db).permissionItem.findUnique({ where: { key }, select })
        return row && { id: row.id, name: row.api.name }
      },
    },
  ],
  request_rule: [
    {
      member: 'name',
      code: 'taken_rule',
      holderOf: (db, name) => prisma(db).requestRule.findFirst({ where: { name }, ...NAMED }),
    },
  ],
  application: [
    {
      member: 'id',
      code: 'taken_client_id',
      holderOf: (db, id) => prisma(db).application.findUnique({ where: { id }, ...NAMED }),
    },
  ],
  access_key: [
    {
      member: 'accessKey',
      code: 'taken_access_key',
      async holderOf(db, id) {
        const row = await prisma(db).accessKey.findUnique({ where: { id }, ...APPLICATION })
        return row && { id: row.id, name: row.application.name }
      },
    },
  ],
}

export async function takenOf(
  db: Reader,
  kind: TargetKind,
  { id, values, space }: Wanted,
): Promise<TakenName[]> {
  const taken: TakenName[] = []
  for (const { member, code, holderOf } of RULES[kind] ?? []) {
    const value = values[member]
    if (typeof value !== 'string') continue
    const holder = await holderOf(db, value, space)
    const isNew = holder !== null && (holder.id !== id || member === 'id' || member === 'accessKey')
    if (isNew) taken.push({ member, code, name: holder.name ?? holder.id })
  }
  return taken
}
