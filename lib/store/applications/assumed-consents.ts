import type { Application } from '../../oidc/client'
import { isUnasked } from '../../oidc/first-party'
import type { Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { stringList } from '../database/json'

/** Consents that nobody was asked for: those of first-party applications. */

type Assumption = { userId: string; applicationId: string; scopes: readonly string[]; now: Date }

/**
 * What users of a first-party application are not asked about; false if they have to be asked. The
 * row of the application is held first: what an admin takes back meanwhile is not assumed.
 */
export async function assumeConsent(
  tx: Transaction,
  { userId, applicationId, scopes, now }: Assumption,
): Promise<boolean> {
  const { application, consent } = prisma(tx)
  const ours = { id: applicationId, firstParty: true, registration: 'admin' }
  const held = await application.updateMany({ where: ours, data: { firstParty: true } })
  if (held.count === 0) return false
  const { preapprovedScopes } = await application.findUniqueOrThrow({
    where: { id: applicationId },
    select: { preapprovedScopes: true },
  })
  const unasked = { preapprovedScopes: stringList(preapprovedScopes) }
  if (!scopes.every((scope) => isUnasked(unasked, scope))) return false
  const whose = { userId, applicationId }
  if (await consent.findFirst({ where: { ...whose, pausedAt: { not: null } } })) return false
  for (const scope of [...scopes].sort()) {
    await prisma(tx).$executeRaw`
      INSERT INTO "Consent" ("userId", "applicationId", "scope", "granted", "decidedAt", "assumed")
      VALUES (${userId}, ${applicationId}, ${scope}, ${true}, ${now}, ${true})
      ON CONFLICT ("userId", "applicationId", "scope") DO NOTHING`
  }
  return true
}

type Belonging = Pick<Application, 'firstParty' | 'preapprovedScopes'>

/** Users are asked about what is no longer assumed. */
export async function removeAssumed(
  tx: Transaction,
  applicationId: string,
  before: Belonging,
  after: Belonging,
): Promise<void> {
  const assumed = { applicationId, assumed: true }
  const { consent } = prisma(tx)
  if (before.firstParty && !after.firstParty) await consent.deleteMany({ where: assumed })
  const taken = before.preapprovedScopes.filter((one) => !after.preapprovedScopes.includes(one))
  if (taken.length > 0) {
    await consent.deleteMany({ where: { ...assumed, scope: { in: taken } } })
  }
}
