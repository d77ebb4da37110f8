import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import { holdsRoles, isNamed, isNamedGroup } from './model-deciders'
import type {
  AdminRole,
  Api,
  Application,
  Decision,
  Facts,
  Grant,
  Group,
  Item,
  Person,
  Principal,
  Reach,
  Terms,
} from './model-facts'
import { covers, isNoWider } from './model-terms'

/** The most that a principal may ever have, from what stood there before it acted. */

// ---------------------------------------------------------------- what roles come to

const OWNERS_ONLY = ['sign-in:write', 'outbox:read', 'users:impersonate']
const APP_MANAGER = [
  'applications:read',
  'applications:write',
  'spaces:read',
  'resources:read',
  'permissions:read',
  'scopes:decide',
]

export function scopesOfRole(role: AdminRole | null): string[] {
  const all: readonly string[] = PORTAL_SCOPE_NAMES
  if (role === 'owner') return [...all]
  const admins = all.filter((scope) => !OWNERS_ONLY.includes(scope))
  if (role === 'admin') return admins
  if (role === 'auditor') return admins.filter((scope) => !scope.endsWith(':write'))
  return role === 'app_manager' ? APP_MANAGER : []
}

/** In person everybody may ask for access that they lack. */
export function scopesInPerson(role: AdminRole | null): string[] {
  return [...new Set([...scopesOfRole(role), 'permissions:request'])]
}

// ---------------------------------------------------------------- the ceiling

export type Ceiling = {
  /** Signs in as them, with all that they hold and decide about. */
  mayBe(person: Person): boolean
  /** Disables, deletes or describes them. */
  mayChange(person: Person): boolean
  mayDecide(decision: Decision): boolean
  mayGiveRole(role: AdminRole): boolean
  mayGiveScope(scope: string, terms: Terms): boolean
  mayHaveItem(key: string): boolean
  mayHaveScope(scope: string): boolean
  /** In the name of people who agreed to another application. */
  mayExchange(key: string): boolean
  mayGiveItem(key: string): boolean
  mayGiveExchange(key: string): boolean
  mayHideExchanges: boolean
  mayActAs(application: Application): boolean
  mayJoin(group: Group): boolean
  holds(scope: string): boolean
  isOwner: boolean
  /** Its own person, or nobody. */
  self: string | null
  /** What was in its hands at the start is no rise. */
  hadAtStart(application: string, scope: string): boolean
}

const ALWAYS: Terms = { effect: 'allow', condition: null, validFrom: null, validUntil: null }

export function ceilingOf(principal: Principal, start: Facts, reach: Reach): Ceiling {
  const rank = start.people.find(({ id }) => id === principal.person)?.adminRole ?? null
  // Whoever sets the mail server reads the owner's letters too.
  const role = principal.holds.includes('sign-in:write') ? 'owner' : rank
  const rights = principal.person === null ? scopesOfRole(role) : scopesInPerson(role)
  const held = new Set([...principal.holds, ...rights])
  const own =
    role === 'owner' ? undefined : start.applications.find(({ id }) => id === principal.application)
  const isManager = role === 'app_manager'
  const ownsApi = (api: Api) => principal.person !== null && api.owners.includes(principal.person)
  const apiOf = new Map(start.apis.map((api) => [api.id, api]))

  const mayGiveScope = (scope: string, terms: Terms) => {
    if (isManager || !held.has(scope)) return false
    if (!own) return true
    return own.grants.some((grant) => covers(grant.pattern, scope) && isNoWider(terms, grant))
  }
  const hasScopes = (scopes: readonly string[]) =>
    scopes.every((scope) =>
      isManager ? held.has(scope) : held.has(scope) && mayGiveScope(scope, ALWAYS),
    )
  const mayGovern = (api: Api) => held.has('resources:write') || ownsApi(api)

  const mayGiveItem = ({ key, api, ordinary }: Item) => {
    const home = apiOf.get(api)
    if (!home) return false
    if (mayGovern(home) || (own !== undefined && held.has(key))) return true
    return home.open && (ordinary || held.has('permissions:write'))
  }
  const giveable = new Set(start.items.filter(mayGiveItem).map(({ key }) => key))
  const isGoverned = ({ api }: Item) => start.apis.some((one) => one.id === api && mayGovern(one))
  const governed = new Set(start.items.filter(isGoverned).map(({ key }) => key))

  const mayChange = (person: Person) => {
    if (person.id === principal.person) return true
    const owned = start.apis.filter((api) => api.owners.includes(person.id))
    return (
      held.has('users:write') && hasScopes(scopesOfRole(person.adminRole)) && owned.every(mayGovern)
    )
  }
  const mayDecide = ({ api, takes }: Decision) => {
    const home = api === null ? undefined : apiOf.get(api)
    // With a space go its APIs, and what was asked for.
    if (home) return mayGovern(home) || held.has('spaces:write')
    return takes.every((scope) => held.has(scope))
  }
  const deletesRoles = held.has('roles:write') || held.has('spaces:write')
  const mayBe = (person: Person) => {
    if (person.id === principal.person) return true
    const known = start.people.find(({ id }) => id === person.id) ?? person
    const decided = start.decisions.filter((one) => isNamed(one, known, start, !deletesRoles))
    return (
      mayChange(person) &&
      decided.every(mayDecide) &&
      (deletesRoles || held.has('assignments:write') || !holdsRoles(known, start))
    )
  }

  /** Itself, and whoever it may be: what is theirs is in its reach. */
  const selves = new Set(start.people.filter(mayBe).map(({ id }) => id))
  const mayActAs = (application: Application) => {
    if (application.id === principal.application && application.grants.length === 0) return true
    const isTheirs = application.owner !== null && selves.has(application.owner)
    if (isManager && !isTheirs) return false
    const { scopes, items, exchanged } = holdingsOf(application, start.items)
    return (
      held.has('applications:write') &&
      scopes.every(({ scope, terms }) => mayGiveScope(scope, terms)) &&
      (isTheirs || items.every((key) => giveable.has(key))) &&
      (isTheirs || exchanged.every((key) => governed.has(key)))
    )
  }
  const gives = ['applications:write', 'roles:write', 'assignments:write'].some((s) => held.has(s))
  const inReach = start.applications.filter(mayActAs)
  const inHand = new Set(reach.clients.map(({ application }) => application))
  const exchangeable = new Set([
    ...governed,
    ...start.applications
      .filter((one) => inHand.has(one.id) || inReach.includes(one))
      .flatMap((one) => holdingsOf(one, start.items).exchanged),
  ])
  const registers = start.registration.open || principal.mayRegister === true
  const items = new Set([
    ...principal.holds,
    ...(gives ? giveable : []),
    ...inReach.flatMap((one) => holdingsOf(one, start.items).items),
    ...(registers ? start.registration.scopes : []),
  ])
  const ownItems = { application: principal.person ?? '', scopes: reach.ownItems }
  const callers = start.applications
    .filter(({ id }) => principal.calledBy?.includes(id))
    .map((one) => ({ application: one.id, scopes: holdingsOf(one, start.items).items }))
  const first = new Set(
    [...reach.clients, ...reach.userTokens, ...callers, ownItems].flatMap(
      ({ application, scopes }) => scopes.map((scope) => `${application} ${scope}`),
    ),
  )
  return {
    mayBe,
    mayChange,
    mayDecide,
    mayGiveRole: (given) => hasScopes(['admin-roles:write', ...scopesOfRole(given)]),
    mayGiveScope,
    mayActAs,
    mayHaveItem: (key) => items.has(key),
    mayHaveScope: (scope) => !isManager && held.has(scope),
    mayExchange: (key) => exchangeable.has(key),
    mayGiveItem: (key) => giveable.has(key),
    mayGiveExchange: (key) => governed.has(key),
    mayHideExchanges: hasScopes(['resources:write']),
    mayJoin: (group) =>
      (!group.givesRoles || held.has('assignments:write')) &&
      start.apis.filter(({ id }) => group.apis.includes(id)).every(mayGovern) &&
      start.decisions.filter((one) => isNamedGroup(one, group.id, start)).every(mayDecide),
    holds: (scope) => held.has(scope),
    isOwner: role === 'owner',
    self: principal.person,
    hadAtStart: (application, scope) => first.has(`${application} ${scope}`),
  }
}

/** What is over gives nothing any more; what has yet to begin, or depends, does. */
function holdingsOf({ grants, gets }: Application, items: readonly Item[]) {
  const allowed = grants.filter(
    ({ effect, validUntil }) =>
      effect === 'allow' && (validUntil === null || Date.parse(validUntil) > Date.now()),
  )
  const ordinary = allowed.filter(({ exchangeFrom }) => exchangeFrom === null)
  const scopes = ordinary.flatMap((grant) =>
    PORTAL_SCOPE_NAMES.filter((scope) => covers(grant.pattern, scope)).map((scope) => ({
      scope,
      terms: grant,
    })),
  )
  const keys = items.map(({ key }) => key)
  const byGrants = (some: readonly Grant[]) => (key: string) =>
    some.some(({ pattern }) => covers(pattern, key))
  const exchanges = allowed.filter(({ exchangeFrom }) => exchangeFrom !== null)
  return {
    scopes,
    items: keys.filter((key) => gets.includes(key) || byGrants(ordinary)(key)),
    exchanged: keys.filter(byGrants(exchanges)),
  }
}
