import { z } from 'zod'
import type { Reader } from '../database/connection'
import { prisma } from '../database/database'
import { namesOf } from '../database/names'

/** Which tokens applications got for a user lately, from the audit log. */

export type TokenAct = {
  at: Date
  /** The ID of the decision, which is that of the token. */
  decisionId: string | null
  applicationId: string
  applicationName: string | null
  scopes: readonly string[]
  /** For a token exchange: the applications that the request came through, the newest first. */
  cameThrough: readonly string[]
}

/** An application that asks all the time must not make the page slow. */
const MAX_READ = 200

const detailSchema = z.object({
  scope: z.array(z.string()).catch([]),
  exchange: z.object({ from: z.string(), first: z.string() }).nullish().catch(null),
})

/** The newest first. */
export async function listTokenActs(db: Reader, userId: string): Promise<TokenAct[]> {
  const rows = await prisma(db).auditEntry.findMany({
    where: { actorId: userId, event: 'token.issued' },
    orderBy: [{ at: 'desc' }, { seq: 'desc' }],
    take: MAX_READ,
    select: { at: true, decisionId: true, applicationId: true, detail: true },
  })
  const ids = [...new Set(rows.flatMap(({ applicationId }) => applicationId ?? []))]
  const names = await namesOf(db, { applications: ids })
  return rows.flatMap(({ at, decisionId, applicationId, detail }) => {
    const { success, data } = detailSchema.safeParse(detail)
    if (applicationId === null || !success) return []
    const { scope: scopes, exchange } = data
    const cameThrough = exchange ? [...new Set([exchange.from, exchange.first])] : []
    const applicationName = names.get(applicationId) ?? null
    return [{ at, decisionId, applicationId, applicationName, scopes, cameThrough }]
  })
}
