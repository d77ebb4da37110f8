import { z } from 'zod'
import type { Reader } from './connection'
import { prisma } from './database'

/** When users and clients last got each scope in a token, from the audit log. */

const MOST_ENTRIES = 50_000
const PAGE = 5_000

export type LastGranted = {
  /** By user or client, then by scope. */
  by: ReadonlyMap<string, ReadonlyMap<string, Date>>
  /** Everything since then was read. */
  knownSince: Date
}

const issued = z.object({ scope: z.array(z.string()).default([]) })

type Whom = { users: readonly string[] } | { applications: readonly string[] }

/** For applications also each of their access keys, as the client that asked. */
export async function lastGranted(db: Reader, since: Date, whom: Whom): Promise<LastGranted> {
  const by = new Map<string, Map<string, Date>>()
  const kept = await oldestKept(db)
  const begin = kept && kept > since ? kept : since
  let before: bigint | undefined
  for (let read = 0; read < MOST_ENTRIES; read += PAGE) {
    const rows = await readSome(db, begin, whom, before)
    for (const row of rows) note(by, 'users' in whom, row)
    before = rows.at(-1)?.seq
    if (rows.length < PAGE) return { by, knownSince: begin }
    if (read + PAGE >= MOST_ENTRIES) return { by, knownSince: rows.at(-1)?.at ?? begin }
  }
  return { by, knownSince: begin }
}

/** Older entries were removed, or the portal is not older. */
async function oldestKept(db: Reader): Promise<Date | null> {
  const oldest = await prisma(db).auditEntry.findFirst({
    orderBy: { seq: 'asc' },
    select: { at: true },
  })
  return oldest?.at ?? null
}

function readSome(db: Reader, since: Date, whom: Whom, before: bigint | undefined) {
  return prisma(db).auditEntry.findMany({
    where: {
      ...('users' in whom
        ? { actorId: { in: [...whom.users] } }
        : { applicationId: { in: [...whom.applications] } }),
      ...{ event: 'token.issued', at: { gte: since } },
      ...(before !== undefined && { seq: { lt: before } }),
    },
    orderBy: { seq: 'desc' },
    take: PAGE,
    select: {
      ...{ seq: true, at: true, applicationId: true, actorKind: true, actorId: true },
      detail: true,
    },
  })
}

type Row = Awaited<ReturnType<typeof readSome>>[number]

/** The newest come first, so the first of each is the last use. */
function note(by: Map<string, Map<string, Date>>, ofUsers: boolean, row: Row): void {
  const who = ofUsers || row.actorKind === 'client' ? row.actorId : row.applicationId
  if (who === null) return
  const known = by.get(who) ?? new Map<string, Date>()
  by.set(who, known)
  for (const scope of issued.safeParse(row.detail).data?.scope ?? []) {
    if (!known.has(scope)) known.set(scope, row.at)
  }
}
