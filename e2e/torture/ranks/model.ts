import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import type {
  AdminRole,
  Api,
  Application,
  Facts,
  Grant,
  Group,
  Item,
  Person,
  Principal,
  Reach,
  Terms,
  Violation,
} from './model-facts'

/**
 * The rule of authority once more, in the fewest words and from nothing but its specification: it
 * shares no code with the rule that the portal asks. It looks at facts, not at requests: what stood
 * there before a principal acted, what stands there now, and what it has in its hands.
 */

// ---------------------------------------------------------------- what roles come to

const OWNERS_ONLY = ['sign-in:write', 'outbox:read']
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

/** Besides the scope that the route names. */
const ALSO_NEEDS: Record<string, readonly string[]> = {
  exportModel: ['resources:read', 'permissions:read', 'roles:read'],
  importModel: ['resources:write', 'permissions:write', 'roles:write'],
  createWebhook: ['audit:read'],
}

/** What a call that succeeded needed and its caller does not hold now. */
export function beyondHeld(
  route: { id: string; scope: string },
  held: ReadonlySet<string>,
): Violation[] {
  if (route.scope === 'public') return []
  const needed = [route.scope, ...(ALSO_NEEDS[route.id] ?? [])]
  const missing = needed.filter((scope) => !held.has(scope))
  const what = `${route.id} succeeded without ${missing.join(', ')}`
  return missing.length === 0 ? [] : [{ clause: 'what is not held is not done', what }]
}

// ---------------------------------------------------------------- the ceiling

export type Ceiling = {
  mayBe(person: Person): boolean
  mayGiveRole(role: AdminRole): boolean
  mayGiveScope(scope: string, terms: Terms): boolean
  mayHaveItem(key: string): boolean
  mayHaveScope(scope: string): boolean
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
  const held = new Set([...principal.holds, ...scopesOfRole(role)])
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

  const mayBe = (person: Person) => {
    if (person.id === principal.person) return true
    const owned = start.apis.filter((api) => api.owners.includes(person.id))
    return (
      held.has('users:write') && hasScopes(scopesOfRole(person.adminRole)) && owned.every(mayGovern)
    )
  }

  /** Itself, and whoever it may be: what is theirs is in its reach. */
  const selves = new Set(start.people.filter(mayBe).map(({ id }) => id))
  const mayActAs = (application: Application) => {
    if (application.id === principal.application && application.grants.length === 0) return true
    const isTheirs = application.owner !== null && selves.has(application.owner)
    if (isManager && !isTheirs) return false
    const { scopes, items } = holdingsOf(application, start.items)
    return (
      held.has('applications:write') &&
      scopes.every(({ scope, terms }) => mayGiveScope(scope, terms)) &&
      (isTheirs || items.every((key) => giveable.has(key)))
    )
  }
  const gives = ['applications:write', 'roles:write', 'assignments:write'].some((s) => held.has(s))
  const inReach = start.applications.filter(mayActAs)
  const items = new Set([
    ...principal.holds,
    ...(gives ? giveable : []),
    ...inReach.flatMap((one) => holdingsOf(one, start.items).items),
  ])
  const ownItems = { application: principal.person ?? '', scopes: reach.ownItems }
  const first = new Set(
    [...reach.clients, ...reach.userTokens, ownItems].flatMap(({ application, scopes }) =>
      scopes.map((scope) => `${application} ${scope}`),
    ),
  )
  return {
    mayBe,
    mayGiveRole: (given) => hasScopes(['admin-roles:write', ...scopesOfRole(given)]),
    mayGiveScope,
    mayActAs,
    mayHaveItem: (key) => items.has(key),
    mayHaveScope: (scope) => !isManager && held.has(scope),
    mayJoin: (group) =>
      (!group.givesRoles || held.has('assignments:write')) &&
      start.apis.filter(({ id }) => group.apis.includes(id)).every(mayGovern),
    holds: (scope) => held.has(scope),
    isOwner: role === 'owner',
    self: principal.person,
    hadAtStart: (application, scope) => first.has(`${application} ${scope}`),
  }
}

export function covers(pattern: string, scope: string): boolean {
  if (!pattern.endsWith(':*')) return pattern === scope
  return scope.startsWith(pattern.slice(0, -1))
}

/** The same occasion or none to keep, and inside the other's time. */
export function isNoWider(given: Terms, own: Terms): boolean {
  if (own.effect !== 'allow') return false
  const time = (text: string | null, none: number) => (text === null ? none : Date.parse(text))
  return (
    (own.condition === null || own.condition === given.condition) &&
    time(own.validFrom, -Infinity) <= time(given.validFrom, -Infinity) &&
    time(own.validUntil, Infinity) >= time(given.validUntil, Infinity)
  )
}

/** What is over gives nothing any more; what has yet to begin, or depends, does. */
function holdingsOf({ grants, gets }: Application, items: readonly Item[]) {
  const allowed = grants.filter(
    ({ effect, validUntil }) =>
      effect === 'allow' && (validUntil === null || Date.parse(validUntil) > Date.now()),
  )
  const scopes = allowed.flatMap((grant) =>
    PORTAL_SCOPE_NAMES.filter((scope) => covers(grant.pattern, scope)).map((scope) => ({
      scope,
      terms: grant,
    })),
  )
  const keys = items
    .map(({ key }) => key)
    .filter((key) => gets.includes(key) || allowed.some(({ pattern }) => covers(pattern, key)))
  return { scopes, items: keys }
}

// ---------------------------------------------------------------- what is beyond it

export function violationsOf(ceiling: Ceiling, start: Facts, now: Facts, reach: Reach) {
  return [
    ...ofPeople(ceiling, start, now),
    ...ofAccounts(ceiling, start, now, reach),
    ...ofSessions(ceiling, start, now),
    ...ofTokens(ceiling, start, reach),
    ...ofGrants(ceiling, start, now, reach),
    ...ofApplications(ceiling, start, now),
    ...ofGroups(ceiling, start, now),
    ...ofSignIn(ceiling, start, now),
    ...ofWebhooks(ceiling, start, now),
  ]
}

function ofPeople(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  const before = new Map(start.people.map((person) => [person.id, person]))
  const given = now.people.flatMap(({ id, adminRole }) => {
    const was = before.get(id)?.adminRole ?? null
    if (adminRole === null || adminRole === was || ceiling.mayGiveRole(adminRole)) return []
    return [{ clause: '1 admin role', what: `${id} is made ${adminRole}` }]
  })
  const after = new Map(now.people.map((person) => [person.id, person]))
  const changed = start.people.flatMap((was) => {
    const is = after.get(was.id)
    if (is && sameText(was, is)) return []
    if (!ceiling.mayBe(was)) return [{ clause: '2 account', what: `${was.id} is changed or gone` }]
    if (was.adminRole !== null && is?.adminRole === null && !ceiling.holds('admin-roles:write')) {
      return [{ clause: '1 admin role', what: `${was.id} is ${was.adminRole} no more` }]
    }
    const own = was.id === ceiling.self && is !== undefined && was.attributes !== is.attributes
    if (!own || ceiling.isOwner) return []
    return [{ clause: '6 own access', what: `${was.id} changed their own attributes` }]
  })
  return [...given, ...changed]
}

function ofAccounts(ceiling: Ceiling, start: Facts, now: Facts, reach: Reach): Violation[] {
  const known = new Map([...now.people, ...start.people].map((person) => [person.id, person]))
  return reach.accounts.flatMap((id) => {
    const person = known.get(id)
    if (!person || ceiling.mayBe(person)) return []
    return [{ clause: '2 account', what: `it can be ${id}, ${person.adminRole ?? 'a person'}` }]
  })
}

function ofSessions(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  const open = new Set(now.sessions.map(({ id }) => id))
  return start.sessions.flatMap(({ id, person }) => {
    const whose = start.people.find((one) => one.id === person)
    if (open.has(id) || !whose || ceiling.mayBe(whose)) return []
    return [{ clause: '2 account', what: `${person} is signed out` }]
  })
}

function ofTokens(ceiling: Ceiling, start: Facts, reach: Reach): Violation[] {
  const items = new Set(start.items.map(({ key }) => key))
  const tokens = [...reach.clients, ...reach.userTokens].flatMap(({ application, scopes }) =>
    scopes.flatMap((scope) => {
      if (ceiling.hadAtStart(application, scope)) return []
      const may = items.has(scope) ? ceiling.mayHaveItem(scope) : ceiling.mayHaveScope(scope)
      const clause = items.has(scope) ? '4 API items' : '3 portal scopes'
      return may ? [] : [{ clause, what: `as ${application} it gets ${scope}` }]
    }),
  )
  if (ceiling.isOwner || ceiling.self === null) return tokens
  const own = reach.ownItems
    .filter((key) => !ceiling.hadAtStart(ceiling.self ?? '', key))
    .map((key) => ({ clause: '6 own access', what: `it gave itself ${key}` }))
  return [...tokens, ...own]
}

/** Also what is not in force yet, or only on an occasion. */
function ofGrants(ceiling: Ceiling, start: Facts, now: Facts, reach: Reach): Violation[] {
  const inHand = new Set(reach.clients.map(({ application }) => application))
  return now.applications
    .filter(({ id }) => inHand.has(id))
    .flatMap(({ id, grants }) => {
      const was = start.applications.find((one) => one.id === id)?.grants ?? []
      const added = grants.filter((one) => !was.some((other) => sameText(terms(one), terms(other))))
      return added
        .filter(({ effect }) => effect === 'allow')
        .flatMap((grant) =>
          PORTAL_SCOPE_NAMES.filter((scope) => covers(grant.pattern, scope))
            .filter((scope) => !ceiling.mayGiveScope(scope, grant))
            .map((scope) => ({ clause: '3 portal scopes', what: `${id} is granted ${scope}` })),
        )
    })
}

function terms({ pattern, effect, condition, validFrom, validUntil }: Grant) {
  return [pattern, effect, condition, validFrom, validUntil]
}

/**
 * Whoever steers an application has what it holds *now*: what was taken from it first is out of
 * reach, for the attacker too. Whose it was at the start counts, not whom it was given to.
 */
function ofApplications(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  const after = new Map(now.applications.map((one) => [one.id, one]))
  return start.applications.flatMap((was) => {
    const is = after.get(was.id)
    if (!is || !answersToOthers(was, is)) return []
    if (ceiling.mayActAs(was) || ceiling.mayActAs({ ...is, owner: was.owner })) return []
    return [{ clause: '5 act as an application', what: `${was.id} answers to somebody else` }]
  })
}

type Answering = Pick<Application, 'owner' | 'enabled' | 'acting'>

export function answersToOthers(was: Answering, is: Answering): boolean {
  const enabled = is.enabled && !was.enabled
  const owned = is.owner !== null && is.owner !== was.owner
  return is.acting !== was.acting || enabled || owned
}

function ofGroups(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  const before = new Map(start.groups.map((group) => [group.id, group]))
  return now.groups.flatMap((group) => {
    const was = before.get(group.id)
    const added = group.members.filter((id) => !was?.members.includes(id))
    if (added.length === 0) return []
    const own = ceiling.self !== null && !ceiling.isOwner && added.includes(ceiling.self)
    if (own) return [{ clause: '6 own access', what: `it put itself into ${group.id}` }]
    if (!was || ceiling.mayJoin(was)) return []
    return [{ clause: '6 groups', what: `${added[0]} was put into ${group.id}` }]
  })
}

function ofSignIn(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  if (ceiling.holds('sign-in:write')) return []
  const clause = '7 mail and providers'
  return [
    ...(start.mail === now.mail ? [] : [{ clause, what: `mail goes to ${now.mail}` }]),
    ...(start.providers === now.providers ? [] : [{ clause, what: `providers: ${now.providers}` }]),
  ]
}

function ofWebhooks(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  if (ceiling.holds('audit:read')) return []
  const before = new Map(start.webhooks.map((one) => [one.id, one]))
  return now.webhooks.flatMap(({ id, tells, enabled }) => {
    const was = before.get(id)
    if (was && was.tells === tells && (was.enabled || !enabled)) return []
    return [{ clause: '8 webhooks', what: `${id} tells ${tells}` }]
  })
}

function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
