import type { Reader } from './connection'
import { prisma } from './database'

/** When the keys of an application were last used; lib/store/last-use.ts writes it. */
export function listPublicKeyUses(db: Reader, applicationId: string) {
  return prisma(db).publicKeyUse.findMany({
    where: { applicationId },
    orderBy: { lastUsedAt: 'desc' },
    take: MOST,
    select: { thumbprint: true, kid: true, lastUsedAt: true, lastUsedIp: true },
  })
}

const MOST = 50
