import { type Hands, headersOf, personNamed } from './hands'
import { beyondDecided, beyondTakenBack } from './model-requests'
import type { Move } from './moves'
import { NotThere } from './names'
import { refused, type Step } from './steps'
import { callAs, type WireAnswer } from './wire'

/** People ask for what they lack, decide about what others asked for, and take it back. */

/** What was asked for by a hand of the attacker's. */
export type OpenRequest = {
  name: string
  id: string
  asker: string
  api: string
  item: string
  approved: boolean
}

type MoveOf<Do extends Move['do']> = Extract<Move, { do: Do }>

export async function askForAccess(hands: Hands, move: MoveOf<'ask'>): Promise<Step> {
  const { stage, requests, world } = hands
  const body = { scope: world.names.fill(move.item), reason: 'I need it' }
  const who = headersOf(hands, move.as, false)
  const { status, json } = await callAs(stage.origin, who, 'POST', '/access-requests', body)
  if (status >= 300) return refused(outcomeOf(status, json))
  const { id, user, api, scope: item } = json
  requests.push({
    name: `#${move.serial}`,
    id,
    asker: user.id,
    api: api.id,
    item,
    approved: false, // by a condition, and by none of the people who are asked
  })
  return { outcome: json.status, done: true }
}

export async function decide(hands: Hands, move: MoveOf<'decide'>): Promise<Step> {
  const request = requestNamed(hands, move.request)
  const { user: voter, isToken } = personNamed(hands, move.as)
  const approvers = await approversOf(hands, request)
  const path = `/access-requests/${request.id}/${move.yes ? 'approval' : 'denial'}`
  const who = headersOf(hands, move.as, false)
  const { status, json } = await callAs(hands.stage.origin, who, 'POST', path, {})
  if (status >= 300) return refused(outcomeOf(status, json))
  const violations = beyondDecided({ voter, asker: request.asker, approvers, isToken })
  if (json.status === 'approved') request.approved = true
  return { outcome: json.status, done: true, violations }
}

export async function takeBack(hands: Hands, move: MoveOf<'take back'>): Promise<Step> {
  const request = requestNamed(hands, move.request)
  const { user: by } = personNamed(hands, move.as)
  const path = `/access-requests/${request.id}/revocation`
  const who = headersOf(hands, move.as, false)
  const { status, json } = await callAs(hands.stage.origin, who, 'POST', path, {})
  if (status >= 300) return refused(outcomeOf(status, json))
  const held = hands.held.get(move.as) ?? new Set()
  const governors = hands.world.apis.find(({ id }) => id === request.api)?.owners ?? []
  return {
    outcome: 'taken back',
    done: true,
    violations: beyondTakenBack({ by, asker: request.asker, held, governors }),
  }
}

export function approvedFor({ requests }: Hands, person: string | null): string[] {
  const own = requests.filter(({ approved, asker }) => approved && asker === person)
  return own.map(({ item }) => item)
}

function outcomeOf(status: number, json: WireAnswer['json']): string {
  return `${status} ${json?.code ?? ''}`.trim()
}

function requestNamed({ requests }: Hands, name: string): OpenRequest {
  const found = requests.find((one) => one.name === name)
  if (!found) throw new NotThere(name)
  return found
}

type Approver = { type: string; id?: string }

/** As the request itself says, with the members of groups as they are now; null if roles decide. */
async function approversOf(
  { stage, world }: Hands,
  { id, api }: OpenRequest,
): Promise<string[] | null> {
  const { json } = await stage.owner('GET', `/access-requests/${id}`)
  const here: { approvers: Approver[] } | undefined = json?.stages?.[json.stage]
  if (!here) return null
  const owners = world.apis.find((one) => one.id === api)?.owners ?? []
  const people = await Promise.all(
    here.approvers.map(async ({ type, id = '' }) => {
      if (type === 'user') return [id]
      if (type === 'api_owners') return [...owners]
      if (type !== 'group') return null
      const members = await stage.root('GET', `/groups/${id}/members?limit=100`)
      return (members.json?.data ?? []).map((one: { id: string }) => one.id)
    }),
  )
  return people.includes(null) ? null : people.flat()
}
