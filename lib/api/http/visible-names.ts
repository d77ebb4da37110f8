import { z } from 'zod'
import type { PortalScope } from '../../access/portal-api'
import type { Op } from '../../context/op'
import { NAMED_KINDS, type NamedKind, namesOf } from '../../store/audit/names'
import type { Caller } from './caller'

/** Names for the IDs in audit entries, if the caller may see them. */

export const namesSchema = z.record(z.string(), z.string())
export const includeSchema = z
  .enum(['names'])
  .optional()
  .describe('`names` adds the names of the IDs in the entries, if the caller may see them')

export const NAME_SCOPES: Record<NamedKind, PortalScope> = {
  user: 'users:read',
  application: 'applications:read',
  access_key: 'applications:read',
  group: 'users:read',
  role: 'roles:read',
  resource: 'resources:read',
  webhook: 'webhooks:read',
}

type Entry = {
  actorKind: string
  actorId: string | null
  targetKind: string | null
  targetId: string | null
  applicationId: string | null
}

export async function namesIn(
  op: Op,
  caller: Caller,
  entries: readonly Entry[],
): Promise<Record<string, string>> {
  const named = entries.flatMap(idsOf)
  const wanted = NAMED_KINDS.filter((kind) => caller.scopes.has(NAME_SCOPES[kind])).map((kind) => {
    const ids = named.flatMap((one) => (one.kind === kind && one.id !== null ? [one.id] : []))
    return [kind, new Set(ids)] as const
  })
  return Object.fromEntries(await op.readReplica((db) => namesOf(db, new Map(wanted))))
}

/** A client is an application or one of its access keys. */
function idsOf({ actorKind, actorId, targetKind, targetId, applicationId }: Entry) {
  const actors = actorKind === 'client' ? ['application', 'access_key'] : [actorKind]
  return [
    ...actors.map((kind) => ({ kind, id: actorId })),
    { kind: targetKind, id: targetId },
    { kind: 'application', id: applicationId },
  ]
}
