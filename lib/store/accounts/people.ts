import type { PeopleStore } from '../../oidc/stores'
import { type Database, sqlOf } from '../database/database'
import { membersOf } from '../database/json'
import { jsonIn, textIn, textOrNull, timeIn } from '../database/sql'

const FIND = `
  SELECT u."id", u."name", u."email", u."emailVerified", u."username", u."profile", u."attributes",
    u."updatedAt",
    a."id" AS "avatarId"
  FROM "User" u LEFT JOIN "Avatar" a ON a."userId" = u."id"
  WHERE u."id" = ? AND u."disabledAt" IS NULL AND u."deleteAfter" IS NULL`

const GROUPS = `
  SELECT g."key" FROM "GroupMember" m JOIN "Group" g ON g."id" = m."groupId"
  WHERE m."userId" = ? ORDER BY g."key"`

/** The portal serves uploaded pictures, so their URLs begin with its own origin. */
export function peopleStore(db: Database, origin: string): PeopleStore {
  const sql = sqlOf(db)
  return {
    async find(userId) {
      const row = await sql.first(FIND, [userId])
      if (!row) return null
      const { avatarId } = row
      return {
        id: textIn(row.id),
        name: textOrNull(row.name),
        email: textOrNull(row.email),
        emailVerified: Boolean(row.emailVerified),
        username: textOrNull(row.username),
        updatedAt: timeIn(row.updatedAt),
        attributes: membersOf(jsonIn(row.attributes)),
        profile: {
          ...membersOf(jsonIn(row.profile)),
          ...(avatarId !== null && { picture: `${origin}/avatar/${avatarId}` }),
        },
      }
    },

    async groupsOf(userId) {
      return (await sql.all(GROUPS, [userId])).map(({ key }) => textIn(key))
    },
  }
}
