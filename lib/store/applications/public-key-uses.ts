import type { Reader } from '../database/connection'
import { prisma } from '../database/database'

/** When the keys of an application were last used; lib/store/tokens/last-use.ts writes it. */
export function listPublicKeyUses(db: Reader, applicationId: string) {
  return prisma(db).publicKeyUse.findMany({
    where: { applicationId },
    orderBy: { lastUsedAt: 'desc' },
    take: MAX,
    select: { thumbprint: true, kid: true, lastUsedAt: true, lastUsedIp: true },
  })
}

const MAX = 50
