import { z } from 'zod'
import type { PeopleStore } from '../oidc/provider'
import type { Database } from './database'

const profile = z.record(z.string(), z.unknown())

export function peopleStore(db: Database): PeopleStore {
  return {
    async find(userId) {
      const row = await db.user.findFirst({ where: { id: userId, disabledAt: null } })
      if (!row) return null
      const { id, name, email, emailVerified, username, updatedAt } = row
      return {
        id,
        name,
        email,
        emailVerified,
        username,
        updatedAt,
        profile: profile.parse(row.profile),
      }
    },
  }
}
