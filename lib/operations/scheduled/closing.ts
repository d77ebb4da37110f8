import { childrenIn, familyOf } from '../../access/hierarchy'
import { patternCovers } from '../../access/pattern'
import type { Policy } from '../../access/policy'
import { grantsFor, reach } from '../../access/ways'
import type { Op, Transaction } from '../../context/op'
import { announceClosedGrant } from '../../delivery/logout'
import { BY_SYSTEM } from '../../oidc/audit-event'
import { isStillAdmitted } from '../../oidc/still-granted'
import {
  type AffectedHolders,
  type Edge,
  findMark,
  listOpenGrants,
  listRequiring,
  type Mark,
  type OpenGrant,
  saveMark,
  type TimedTerms,
} from '../../store/permissions/periods'
import { revokeGrantsTogether } from '../../store/tokens/token-grants'
import type { MayGoOn } from './look-for'

/**
 * An application that requires scopes of its users is told who may no longer use it, when
 * something that a required scope rests on was taken away. A big group takes long: this stops when
 * it has to, and goes on there with the next pass.
 */

const MAX_AT_ONCE = 200
const APPLICATIONS_AT_ONCE = 500

type PeriodEvent = { event: string; kind: 'assignment' | 'grant'; edge: Edge }

/** Returns how many of these, in their order, are done: all of them unless it had to stop. */
export async function closeWhatDepended(
  op: Op,
  happening: PeriodEvent,
  all: readonly TimedTerms[],
  mayGoOn: MayGoOn,
): Promise<number> {
  if (!all.some((terms) => mayTake(happening, terms))) return all.length
  // Most applications let everybody in, and cost no further look.
  const requiring = await op.read(listRequiring)
  if (requiring.length === 0) return all.length
  const task = `${happening.event}.closing`
  const stopped = await op.read((db) => findMark(db, task))
  // What was given instead a moment ago counts.
  const latest = { ...op, snapshot: op.latestSnapshot }
  for (const [done, terms] of all.entries()) {
    const { policy } = await latest.snapshot()
    const isTaken = takenBy(policy, happening, terms)
    const ids = requiring.filter((one) => one.requiredScopes.some(isTaken)).map(({ id }) => id)
    const from = startOf(stopped, happening, terms)
    const at = await closeIn(latest, affectedBy(policy, terms), ids.sort(), from, mayGoOn)
    if (!at) continue
    await op.write((tx) => saveMark(tx, task, markOf(happening, terms, at)))
    return done
  }
  return all.length
}

// ---------------------------------------------------------------- whom it concerns

/** What a deny takes away, it takes when it begins. A role can deny, too. */
function mayTake({ kind, edge }: PeriodEvent, { effect }: TimedTerms): boolean {
  if (kind === 'assignment' && edge === 'validFrom') return true
  return (effect === 'deny') === (edge === 'validFrom')
}

/** The scopes that somebody may lose by it. */
function takenBy(
  policy: Policy,
  happening: PeriodEvent,
  terms: TimedTerms,
): (scope: string) => boolean {
  if (!mayTake(happening, terms)) return () => false
  if (happening.kind === 'grant') return (scope) => patternCovers(terms.what, scope)
  const role = policy.roles.get(terms.what)
  const given = role ? reach(policy, role).map((roles) => roles.at(-1)?.grants) : []
  // A role that begins takes what it denies. One that is denied or ends takes what it gives.
  const lost = happening.edge === 'validFrom' && terms.effect === 'allow' ? 'deny' : 'allow'
  return (scope) =>
    given.some((grants) => grantsFor(grants, scope).some(({ effect }) => effect === lost))
}

/** What a role gives, the roles below it give too. */
function affectedBy({ roles }: Policy, { holder: { kind, id } }: TimedTerms): AffectedHolders {
  if (kind !== 'role') return { kind, id }
  return { kind, ids: [...familyOf(childrenIn(roles), [id])] }
}

// ---------------------------------------------------------------- as far as it came

/** Applications before this one are done, and from it on the token grants up to this one. */
type Position = { application: string; grant: string }

const START: Position = { application: '', grant: '' }

function markOf({ edge }: PeriodEvent, terms: TimedTerms, at: Position): Mark {
  const lastId = JSON.stringify([terms.id, at.application, at.grant])
  return { at: terms[edge] ?? new Date(0), lastId }
}

/** Of the same end of the same thing only. */
function startOf(stopped: Mark | null, { edge }: PeriodEvent, terms: TimedTerms): Position {
  if (stopped?.at.getTime() !== terms[edge]?.getTime() || !stopped) return START
  const [id, application = '', grant = ''] = JSON.parse(stopped.lastId) as string[]
  return id === terms.id ? { application, grant } : START
}

/** Null if it is done; otherwise where to go on. */
async function closeIn(
  op: Op,
  affected: AffectedHolders,
  applicationIds: string[],
  from: Position,
  mayGoOn: MayGoOn,
): Promise<Position | null> {
  const ids = applicationIds.filter((id) => id >= from.application)
  for (let at = 0, after = from.grant; at < ids.length; at += APPLICATIONS_AT_ONCE, after = '') {
    const part = ids.slice(at, at + APPLICATIONS_AT_ONCE)
    const last = await closeSome(op, affected, part, after, mayGoOn)
    if (last !== null) return { application: part[0] ?? '', grant: last }
  }
  return null
}

/** At least one, so that each pass comes further. */
async function closeSome(
  op: Op,
  affected: AffectedHolders,
  applicationIds: string[],
  from: string,
  mayGoOn: MayGoOn,
): Promise<string | null> {
  for (let after = from, found = MAX_AT_ONCE; found === MAX_AT_ONCE; ) {
    const page = { after, most: MAX_AT_ONCE }
    const open = await op.read((db) => listOpenGrants(db, affected, applicationIds, page))
    const seen = new Set<string>()
    for (const grant of open) {
      const key = [grant.userId, grant.accessKeyId ?? grant.applicationId, grant.sessionId].join()
      if (!seen.has(key)) await closeUnlessAdmitted(op, grant)
      seen.add(key)
      after = grant.id
      if (!mayGoOn()) return after
    }
    found = open.length
  }
  return null
}

async function closeUnlessAdmitted(op: Op, grant: OpenGrant): Promise<void> {
  const { id, userId, applicationId } = grant
  const clientId = grant.accessKeyId ?? applicationId
  const answered = await op.consents.find(userId, applicationId)
  if (await isStillAdmitted(op, { clientId, userId }, answered)) return
  await op.write(async (tx: Transaction, audit) => {
    if (!(await revokeGrantsTogether(tx, grant, 'access_ended', op.now()))) return
    await announceClosedGrant(op, tx, grant, applicationId)
    audit({
      event: 'app.access_ended',
      result: 'success',
      ...BY_SYSTEM,
      applicationId,
      targetKind: 'user',
      targetId: userId,
      detail: { token_grant: id },
    })
  })
}
