import { z } from 'zod'
import type { Reader } from '../database/connection'
import { prisma } from '../database/database'

/** The scopes that clients asked for, from the audit log. */

export type Usage = { asked: Map<string, number>; refused: Map<string, number> }

const MAX_ENTRIES = 50_000
const PAGE = 5_000

const issued = z.object({
  scope: z.array(z.string()).default([]),
  refused: z.array(z.object({ scope: z.string() })).default([]),
})
const refusedAll = z.object({ scope_rejected: z.string().default('') })

/** By the client that asked. `complete`: everything of these applications since then was read. */
export async function readUsage(
  db: Reader,
  since: Date,
  applicationIds: readonly string[],
): Promise<{ byClient: Map<string, Usage>; complete: boolean }> {
  const byClient = new Map<string, Usage>()
  let before: bigint | undefined
  for (let read = 0; read < MAX_ENTRIES; read += PAGE) {
    const rows = await prisma(db).auditEntry.findMany({
      where: {
        event: { in: ['token.issued', 'token.refused'] },
        applicationId: { in: [...applicationIds] },
        at: { gte: since },
        ...(before !== undefined && { seq: { lt: before } }),
      },
      orderBy: { seq: 'desc' },
      take: PAGE,
      select: {
        seq: true,
        event: true,
        applicationId: true,
        actorKind: true,
        actorId: true,
        detail: true,
      },
    })
    for (const row of rows) {
      const client = row.actorKind === 'client' ? row.actorId : row.applicationId
      if (client !== null) count(byClient, client, row.event, row.detail)
    }
    before = rows.at(-1)?.seq
    if (rows.length < PAGE) return { byClient, complete: true }
  }
  return { byClient, complete: false }
}

function count(byClient: Map<string, Usage>, client: string, event: string, detail: unknown): void {
  const usage = byClient.get(client) ?? { asked: new Map(), refused: new Map() }
  byClient.set(client, usage)
  const refused = event === 'token.issued' ? refusedIn(detail) : allRefusedIn(detail)
  const granted = event === 'token.issued' ? (issued.safeParse(detail).data?.scope ?? []) : []
  for (const scope of [...granted, ...refused]) add(usage.asked, scope)
  for (const scope of refused) add(usage.refused, scope)
}

function refusedIn(detail: unknown): string[] {
  return issued.safeParse(detail).data?.refused.map(({ scope }) => scope) ?? []
}

function allRefusedIn(detail: unknown): string[] {
  const { scope_rejected = '' } = refusedAll.safeParse(detail).data ?? {}
  return scope_rejected.split(' ').filter((scope) => scope !== '')
}

function add(counts: Map<string, number>, scope: string): void {
  counts.set(scope, (counts.get(scope) ?? 0) + 1)
}
