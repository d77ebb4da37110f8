import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import type { Ceiling } from './model-ceiling'
import type { Application, Facts, Grant, Item, Reach, Violation } from './model-facts'
import { covers, isNoWider, sameText, terms } from './model-terms'

/**
 * The same for agents, for services that exchange tokens and for clients that nobody here made:
 * they act for people, and none of them has more than its person and its own grants allow.
 */

export function ofAgents(ceiling: Ceiling, start: Facts, now: Facts, reach: Reach): Violation[] {
  return [
    ...ofExchanges(ceiling, start, reach),
    ...ofExchangeGrants(ceiling, start, now, reach),
    ...ofImpersonation(ceiling, start, now),
    ...ofRegistration(ceiling, start, now),
    ...ofSaid(reach),
  ]
}

const EXCHANGE = '9 exchange'

function ofExchanges(ceiling: Ceiling, start: Facts, reach: Reach): Violation[] {
  const keys = new Set(start.items.map(({ key }) => key))
  return reach.userTokens
    .filter(({ from }) => from !== undefined)
    .flatMap(({ application, from, scopes }) =>
      scopes
        .filter((scope) => !keys.has(scope) || !ceiling.mayExchange(scope))
        .map((scope) => ({
          clause: EXCHANGE,
          what: `${application} gets ${scope} for a token of ${from}`,
        })),
    )
}

/** People did not agree to the service themselves, so whoever governs the API decides. */
function ofExchangeGrants(ceiling: Ceiling, start: Facts, now: Facts, reach: Reach): Violation[] {
  const inHand = new Set(reach.clients.map(({ application }) => application))
  return now.applications
    .filter(({ id }) => inHand.has(id))
    .flatMap((is) => {
      const was = start.applications.find(({ id }) => id === is.id)
      const keys = addedExchanges(was, is).flatMap((grant) => coveredBy(grant, start.items))
      return keys
        .filter((key) => !ceiling.mayGiveExchange(key))
        .map((key) => ({ clause: EXCHANGE, what: `${is.id} may exchange tokens for ${key}` }))
    })
}

function addedExchanges(was: Application | undefined, is: Application): Grant[] {
  const before = was?.grants.map(terms) ?? []
  return is.grants.filter(
    (grant) =>
      grant.exchangeFrom !== null &&
      grant.effect === 'allow' &&
      !before.some((other) => sameText(other, terms(grant))),
  )
}

function coveredBy({ pattern }: Grant, items: readonly Item[]): string[] {
  const keys = items.map(({ key }) => key)
  return [...PORTAL_SCOPE_NAMES, ...keys].filter((key) => covers(pattern, key))
}

function ofImpersonation(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  if (ceiling.mayHideExchanges) return []
  const hid = new Set(start.applications.filter((one) => one.impersonates).map(({ id }) => id))
  return now.applications
    .filter(({ id, impersonates }) => impersonates && !hid.has(id))
    .map(({ id }) => ({ clause: '10 impersonation', what: `nobody sees that ${id} acts` }))
}

/** To let unknown clients register is to give them all that is listed. */
function ofRegistration(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  const { registration: was } = start
  const { registration: is } = now
  const known = is.open && !was.open ? [] : was.scopes
  const keys = new Set(start.items.map(({ key }) => key))
  const isTooMuch = (scope: string) =>
    isPortal(scope) || (keys.has(scope) && !ceiling.mayGiveItem(scope))
  return is.scopes
    .filter((scope) => !known.includes(scope) && isTooMuch(scope))
    .map((scope) => ({ clause: '11 registration', what: `registered clients get ${scope}` }))
}

function isPortal(scope: string): boolean {
  return PORTAL_SCOPE_NAMES.some((one) => one === scope)
}

/** Paused, narrowed or ended: the person's word counts at once. */
function ofSaid({ userTokens }: Reach): Violation[] {
  return userTokens.flatMap(({ application, active = [], said }) => {
    const left = active.filter((scope) => said?.no || said?.refused.includes(scope))
    if (left.length === 0) return []
    return [{ clause: '12 the person said no', what: `${application} has ${left.join(' ')}` }]
  })
}

// ---------------------------------------------------------------- in the moment

/** One exchange that succeeded, with what stood there when it did. */
export type ExchangeRecord = {
  client: string
  /** The application whose token it was. */
  from: string
  scopes: readonly string[]
  /** Of the client, as they stood. */
  grants: readonly Grant[]
  items: readonly Item[]
  /** What the person may do by roles. */
  personHolds: ReadonlySet<string>
  /** The token that was exchanged. */
  subject: { scopes: readonly string[]; ends: number; isOver: boolean }
  /** Items of the APIs that it serves. */
  serves: ReadonlySet<string>
  impersonates: boolean
  /** The outermost actor that the token names. */
  actor: string | null
  ends: number
}

export function beyondExchange(exchanged: ExchangeRecord): Violation[] {
  const { client, from, subject, serves, actor, impersonates } = exchanged
  const said = (what: string) => ({ clause: EXCHANGE, what: `${client}, for ${from}: ${what}` })
  const beyond = exchanged.scopes.filter((scope) => !isGranted(exchanged, scope))
  return [
    ...beyond.map((scope) => said(`${scope} is not granted for this`)),
    ...(subject.scopes.some((scope) => serves.has(scope)) ? [] : [said('it was not called')]),
    ...(subject.isOver ? [said('the person had said no')] : []),
    ...(exchanged.ends <= subject.ends ? [] : [said('it lasts longer')]),
    ...(actor === client || impersonates ? [] : [said(`the actor is ${actor}`)]),
  ]
}

function isGranted(exchanged: ExchangeRecord, scope: string): boolean {
  const { grants, from, items, personHolds } = exchanged
  const item = items.find(({ key }) => key === scope)
  if (!item || (item.ranked && !personHolds.has(scope))) return false
  const here = grants.filter((grant) => covers(grant.pattern, scope) && isInForce(grant))
  const isFor = ({ exchangeFrom }: Grant) => exchangeFrom === from || exchangeFrom === '*'
  return (
    here.some((grant) => grant.effect === 'allow' && isFor(grant)) &&
    !here.some((grant) => grant.effect === 'deny' && (grant.exchangeFrom === null || isFor(grant)))
  )
}

/** No condition of these worlds is ever met. */
function isInForce(grant: Grant): boolean {
  const now = new Date().toISOString()
  const moment = { effect: 'allow', condition: null, validFrom: now, validUntil: now }
  return isNoWider(moment, { ...grant, effect: 'allow' })
}

/** A change that an agent asked for: it happens once, after the person has confirmed it. */
export function beyondConfirmed(tool: string, confirmed: boolean): Violation[] {
  const what = `${tool} was done, and nobody had confirmed it`
  return confirmed ? [] : [{ clause: '13 confirmed by the person', what }]
}
