import { z } from 'zod'
import type { PeopleStore } from '../oidc/provider'
import type { Database } from './database'

const profile = z.record(z.string(), z.unknown())

/** An uploaded picture is served by us, so its address begins with our own. */
export function peopleStore(db: Database, origin: string): PeopleStore {
  return {
    async find(userId) {
      const row = await db.user.findFirst({
        where: { id: userId, disabledAt: null, deleteAfter: null },
        include: { avatar: { select: { id: true } } },
      })
      if (!row) return null
      const { id, name, email, emailVerified, username, updatedAt } = row
      return {
        id,
        name,
        email,
        emailVerified,
        username,
        updatedAt,
        profile: {
          ...profile.parse(row.profile),
          ...(row.avatar && { picture: `${origin}/avatar/${row.avatar.id}` }),
        },
      }
    },
  }
}
