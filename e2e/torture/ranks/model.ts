import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import { ofAgents } from './model-agents'
import type { Ceiling } from './model-ceiling'
import { ofDeciders } from './model-deciders'
import type { Application, Facts, Person, PersonToken, Reach, Violation } from './model-facts'
import { covers, sameText, terms } from './model-terms'

/**
 * The rule of authority once more, in the fewest words and from nothing but its specification: it
 * shares no code with the rule that the portal asks. It looks at facts, not at requests: what stood
 * there before a principal acted, what stands there now, and what it has in its hands.
 */

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
    ...ofDeciders(ceiling, start, now),
    ...ofSignIn(ceiling, start, now),
    ...ofImpersonation(ceiling, start, now),
    ...ofWebhooks(ceiling, start, now),
    ...ofAgents(ceiling, start, now, reach),
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
    if (!ceiling.mayChange(was))
      return [{ clause: '2 account', what: `${was.id} is changed or gone` }]
    if (is && opensAccount(was, is) && !ceiling.mayBe(was))
      return [{ clause: '2 account', what: `${was.id} can be somebody else` }]
    if (was.adminRole !== null && is?.adminRole === null && !ceiling.holds('admin-roles:write')) {
      return [{ clause: '1 admin role', what: `${was.id} is ${was.adminRole} no more` }]
    }
    const own = was.id === ceiling.self && is !== undefined && was.attributes !== is.attributes
    if (!own || ceiling.isOwner) return []
    return [{ clause: '6 own access', what: `${was.id} changed their own attributes` }]
  })
  return [...given, ...changed]
}

/** By another address or name, or because it was closed. */
function opensAccount(was: Person, is: Person): boolean {
  const isRenamed = was.email !== is.email || was.username !== is.username
  return isRenamed || was.verified !== is.verified || (is.enabled && !was.enabled)
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
    if (open.has(id) || !whose || ceiling.mayChange(whose)) return []
    return [{ clause: '2 account', what: `${person} is signed out` }]
  })
}

function ofTokens(ceiling: Ceiling, start: Facts, reach: Reach): Violation[] {
  const items = new Set(start.items.map(({ key }) => key))
  const issued: readonly PersonToken[] = [
    ...reach.clients,
    ...reach.userTokens.filter(({ from }) => from === undefined),
  ]
  const tokens = issued.flatMap(({ application, scopes, user }) =>
    scopes.flatMap((scope) => {
      if (ceiling.hadAtStart(application, scope)) return []
      // In its own name an application does what the person may do.
      const isOwn = user !== undefined && user === ceiling.self
      if (isOwn && (ceiling.holds(scope) || reach.approved.includes(scope))) return []
      const may = items.has(scope) ? ceiling.mayHaveItem(scope) : ceiling.mayHaveScope(scope)
      const clause = items.has(scope) ? '4 API items' : '3 portal scopes'
      return may ? [] : [{ clause, what: `as ${application} it gets ${scope}` }]
    }),
  )
  if (ceiling.isOwner || ceiling.self === null) return tokens
  const own = reach.ownItems
    .filter((key) => !ceiling.hadAtStart(ceiling.self ?? '', key) && !reach.approved.includes(key))
    .map((key) => ({ clause: '6 own access', what: `it gave itself ${key}` }))
  return [...tokens, ...own]
}

/** Also what is not in force yet, or only under a condition. */
function ofGrants(ceiling: Ceiling, start: Facts, now: Facts, reach: Reach): Violation[] {
  const inHand = new Set(reach.clients.map(({ application }) => application))
  return now.applications
    .filter(({ id }) => inHand.has(id))
    .flatMap(({ id, grants }) => {
      const was = start.applications.find((one) => one.id === id)?.grants ?? []
      const added = grants.filter((one) => !was.some((other) => sameText(terms(one), terms(other))))
      return added
        .filter(({ effect, exchangeFrom }) => effect === 'allow' && exchangeFrom === null)
        .flatMap((grant) =>
          PORTAL_SCOPE_NAMES.filter((scope) => covers(grant.pattern, scope))
            .filter((scope) => !ceiling.mayGiveScope(scope, grant))
            .map((scope) => ({ clause: '3 portal scopes', what: `${id} is granted ${scope}` })),
        )
    })
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

/** Off is what nobody has to hold anything for. */
function ofImpersonation(ceiling: Ceiling, start: Facts, now: Facts): Violation[] {
  const isSame = start.impersonation === now.impersonation || now.impersonation === 'off by owners'
  if (isSame || ceiling.holds('users:impersonate')) return []
  return [{ clause: '7 mail and providers', what: `accounts are open: ${now.impersonation}` }]
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
