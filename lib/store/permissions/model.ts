import type { Reader } from '../database/connection'
import { prisma } from '../database/database'

/**
 * The permission model of a space: APIs with their permissions, roles with their grants.
 * Assignments are not part of it.
 */

export function readModel(db: Reader, spaceId: string) {
  return Promise.all([
    prisma(db).api.findMany({
      where: { spaceId },
      orderBy: { prefix: 'asc' },
      include: { items: { orderBy: { key: 'asc' } } },
    }),
    prisma(db).role.findMany({
      where: { spaceId },
      orderBy: { key: 'asc' },
      include: {
        grants: { orderBy: [{ pattern: 'asc' }, { id: 'asc' }] },
        parents: { include: { parent: { select: { key: true } } } },
      },
    }),
  ])
}
