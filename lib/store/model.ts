import type { Reader } from './connection'
import { prisma } from './database'

/** A space's model: APIs with their items, roles with what they give. Who holds them is not part. */

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
