import type { Op } from '../../context/op'
import { findApprovals } from '../../store/requests/approved-access'
import type { Caller } from '../http/caller'
import { iso } from '../http/schemas'
import type { StepWire } from './decision'

/** Access that was asked for says so: which request, who approved it, and when it ends. */

type Explained = Partial<Record<'path' | 'denies' | 'nearMisses' | 'sources', StepWire[]>>

const LISTS = ['path', 'denies', 'nearMisses', 'sources'] as const

export async function withApproval<T extends Explained>(
  op: Op,
  caller: Pick<Caller, 'scopes'>,
  explanation: T,
): Promise<T> {
  return (await withApprovals(op, caller, [explanation]))[0] ?? explanation
}

/** Grants of roles are never given by a request. */
export async function withApprovals<T extends Explained>(
  op: Op,
  { scopes }: Pick<Caller, 'scopes'>,
  explanations: readonly T[],
): Promise<T[]> {
  const steps = explanations.flatMap((one) => LISTS.flatMap((list) => one[list] ?? []))
  const direct = steps.filter(({ roles = [] }) => roles.length === 0).map(({ grant }) => grant)
  if (direct.length === 0) return [...explanations]
  const found = await op.read((db) => findApprovals(db, [...new Set(direct)]))
  const mayName = scopes.has('users:read')
  const approvals = new Map(
    found.map(({ grantId, request: id, approvers, emergency, until }) => [
      grantId,
      {
        id,
        approvers: approvers.map((one) => ({ id: one.id, ...(mayName && { name: one.name }) })),
        emergency,
        until: until && iso(until),
      },
    ]),
  )
  const told = (step: StepWire): StepWire => {
    const request = approvals.get(step.grant)
    return request ? { ...step, request } : step
  }
  return explanations.map((one) => {
    const lists = LISTS.flatMap((list) => (one[list] ? [[list, one[list].map(told)]] : []))
    return { ...one, ...Object.fromEntries(lists) }
  })
}
