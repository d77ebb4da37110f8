import type { Database, Transaction } from './database'

/** A space's model: APIs with their items, roles with what they give. Who holds them is not part. */

type Reader = Database | Transaction

export function readModel(db: Reader, spaceId: string) {
  return Promise.all([
    db.api.findMany({
      where: { spaceId },
      orderBy: { prefix: 'asc' },
      include: { items: { orderBy: { key: 'asc' } } },
    }),
    db.role.findMany({
      where: { spaceId },
      orderBy: { key: 'asc' },
      include: {
        grants: { orderBy: [{ pattern: 'asc' }, { id: 'asc' }] },
        parents: { include: { parent: { select: { key: true } } } },
      },
    }),
  ])
}
