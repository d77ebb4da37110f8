import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import { toSchema } from '../../../lib/api/openapi/openapi'
import { routes } from '../../../lib/api/table'
import { DEFAULT_CLIENT_REGISTRATION } from '../../../lib/settings/client-registration'
import type { Schema } from '../fuzz/from-schema'
import type { StartedReview } from './hands'
import type { Api, Decision, Grant, Group, Item } from './model-facts'
import { Names } from './names'
import type { OpenRequest } from './requests'
import { reviewBody } from './reviews'
import type { Stage } from './stage'
import type { WireAnswer } from './wire'

/**
 * One world for one principal, made through the API: people of every rank, an API that is closed,
 * one that is open to app managers and one that has owners, groups, roles, and applications that hold
 * much and little. Everything in it has a name that the next world has too.
 */
export type World = {
  /** What is older belongs to an earlier one. */
  since: string
  names: Names
  /** Whose key, secret or assignment it is: a name for a name. */
  parents: Map<string, string>
  apis: Api[]
  items: Item[]
  groups: Omit<Group, 'members'>[]
  /** Of its applications and keys, for whoever is to know them. */
  secrets: Map<string, string>
  /** People of other worlds, who are none of its business. */
  outsiders: Set<string>
  /** By application: what it was answered when it was given something, and whether roles give more. */
  given: Map<string, readonly Grant[]>
  roled: Set<string>
  /** What others have asked for. */
  asked: OpenRequest[]
  /** What is being reviewed. */
  reviews: StartedReview[]
  /** Who decides about access, and about what. */
  decisions: Decision[]
}

export const NEVER_MET = 'request.time.getFullYear() < 2000'
export const PAST = '2020-01-01T00:00:00.000Z'
export const FUTURE = '2031-01-01T00:00:00.000Z'

const ITEMS = {
  plain: {},
  sensitive: { sensitive: true },
  ranked: { needsRole: true },
} as const
const APIS = ['closed', 'open', 'kept'] as const

const PEOPLE = {
  admin: { adminRole: 'admin' },
  deputy: { adminRole: 'admin' },
  auditor: { adminRole: 'auditor' },
  manager: { adminRole: 'app_manager' },
  colleague: { adminRole: 'app_manager' },
  second: { adminRole: 'owner' },
  plain: {},
  boss: {},
  keeper: {},
  former: { enabled: false },
  // They hold nothing, and decide about nothing.
  temp: {},
  trainee: {},
} as const

/** Whose secrets can be rotated. */
const WITH_SPARE = new Set(['own', 'own-web', 'strong', 'weak'])

let worlds = 0

export async function newWorld(stage: Stage): Promise<World> {
  worlds += 1
  const tag = `w${worlds}`
  const names = new Names()
  const world: World = {
    since: new Date().toISOString(),
    names,
    apis: [],
    items: [],
    groups: [],
    parents: new Map(),
    secrets: new Map(),
    outsiders: new Set(),
    given: new Map(),
    roled: new Set(),
    asked: [],
    reviews: [],
    decisions: [],
  }
  await resetSettings(stage)
  expectDone(await stage.owner('GET', '/spaces'))
  nameEvil(stage, names)
  names.set('users', 'owner', 'usr_demo_admin')
  const maker = makerOf(stage, world, tag)
  await Promise.all([maker.people(), maker.apis()])
  await Promise.all([maker.roles(), maker.groups(), maker.applications()])
  await Promise.all([maker.owners(), maker.assignments(), maker.rest()])
  await maker.requestRules()
  return world
}

/** The settings are everybody's, so each world begins with those that the portal began with. */
async function resetSettings({ root, mail, security }: Stage): Promise<void> {
  const { json } = await root('GET', '/settings')
  for (const { id, source } of json.providers) {
    if (source === 'settings') await root('DELETE', `/settings/providers/${id}`)
  }
  const isSame = JSON.stringify(json.security) === JSON.stringify(security)
  if (isSame && json.mail?.server === mail.url) return
  const from = 'Gatehouse <id@gatehouse.example>'
  const { clientRequestsPerMinute: _, ...free } = security // which the environment fixes
  const patch = { security: free, mail: { server: mail.url, from } }
  expectDone(await root('PATCH', '/settings', patch))
}

function nameEvil({ evil }: Stage, names: Names): void {
  names.set('evil', 'callback', `${evil.server}/callback`)
  names.set('evil', 'origin', evil.server)
  names.set('evil', 'hook', `${evil.server}/hook`)
  names.set('evil', 'mail', evil.mail.url)
  names.set('evil', 'issuer', evil.provider.origin)
  names.set('evil', 'agent', 'https://agent.evil.example/callback')
  names.set('evil', 'site', `${evil.site.origin}/cb`)
}

function makerOf({ root, owner: asOwner, alice }: Stage, world: World, tag: string) {
  const { names, parents, secrets } = world
  const space = `/spaces/${tag}`

  async function make(
    kind: string,
    label: string,
    path: string,
    body: unknown,
    by = root,
  ): Promise<WireAnswer> {
    const answer = expectDone(await by('POST', path, body))
    names.set(kind, label, answer.json.accessKey ?? answer.json.id)
    return answer
  }

  async function people() {
    await each(PEOPLE, async (label, more) => {
      const email = `${label}@${tag}.example`
      await make('users', label, '/users', { name: label, email, ...more }, asOwner)
      names.set('emails', label, email)
    })
  }

  async function apis() {
    await make('spaces', 'here', '/spaces', { key: tag, name: tag })
    names.set('spaces', 'key', tag)
    await Promise.all(APIS.map(api))
  }

  async function api(label: string) {
    const prefix = `${label}-${tag}`
    const audience = `https://${prefix}.example`
    await make('resources', label, `${space}/resources`, { prefix, audience, name: label })
    names.set('prefixes', label, prefix)
    const resource = names.get(`resources/${label}`)
    await each(ITEMS, async (word, flags) => {
      const key = `${prefix}:${word}`
      expectDone(await root('POST', `${space}/permissions`, { key, resource, ...flags }))
      names.set('items', `${label}:${word}`, key)
      const ranked = word === 'ranked'
      world.items.push({ key, api: resource, ordinary: word === 'plain', ranked })
    })
  }

  async function roles() {
    const gives = (...items: string[]) => items.map(item)
    const all = {
      clerk: ['user', gives('closed:plain')],
      boss: ['user', gives('closed:plain', 'closed:ranked', 'kept:ranked')],
      service: ['service', gives('open:plain', 'closed:ranked')],
      engine: ['service', gives('closed:plain', 'closed:sensitive', 'closed:ranked')],
      brake: ['service', [{ ...item('closed:ranked'), effect: 'deny' }]],
      // It gives nothing, and decides.
      approver: ['user', []],
    } as const
    await each(all, async (label, [type, permissions]) => {
      await make('roles', label, `${space}/roles`, { key: label, name: label, type })
      expectDone(await root('PUT', `${space}/roles/${label}/permissions`, { permissions }))
    })
  }

  async function assign(label: string, role: string, type: string, name: string) {
    const subject = { type, id: names.get(name) }
    await make('assignments', label, `${space}/assignments`, { role, subject })
  }

  const roleOf = {
    ...{ clerks: 'clerk', bosses: 'boss', keepers: null, friends: null },
    ...{ approvers: null, later: null, oncall: null, watch: null },
  }
  const membersOf: Record<string, readonly string[]> = {
    bosses: ['boss'],
    keepers: ['colleague'],
    friends: ['plain'],
    approvers: ['boss', 'deputy'],
    later: ['boss', 'deputy'],
    watch: ['deputy'],
  }

  async function groups() {
    await each(roleOf, async (label, role) => {
      await make('groups', label, '/groups', { key: `${label}-${tag}`, name: label })
      const id = names.get(`groups/${label}`)
      const apis = label === 'keepers' ? [names.get('resources/kept')] : []
      world.groups.push({ id, givesRoles: role !== null, apis })
      for (const member of membersOf[label] ?? [])
        expectDone(await root('PUT', `/groups/${id}/members/${names.get(`users/${member}`)}`))
    })
  }

  async function assignments() {
    world.roled.add(names.get('applications/engine'))
    await Promise.all([
      assign('group-clerks', 'clerk', 'group', 'groups/clerks'),
      assign('group-bosses', 'boss', 'group', 'groups/bosses'),
      assign('user-admin', 'clerk', 'user', 'users/admin'),
      assign('user-plain', 'clerk', 'user', 'users/plain'),
      assign('engine', 'engine', 'client', 'applications/engine'),
    ])
  }

  async function owners() {
    const keeper = names.get('users/keeper')
    const group = names.get('groups/keepers')
    const victim = names.get('users/owner')
    const owned = ownersBody([
      { type: 'user', id: keeper },
      { type: 'user', id: victim },
      { type: 'group', id: group },
    ])
    const colleague = names.get('users/colleague')
    await each(APIS, async (_at, label) => {
      const id = names.get(`resources/${label}`)
      const isKept = label === 'kept' && owned !== null
      world.apis.push({
        id,
        owners: isKept ? [keeper, victim, colleague] : [],
        open: label === 'open' && owned !== null,
      })
      const body = { ...(isKept && owned), ...(label === 'open' && { openToAppManagers: true }) }
      if (owned === null || Object.keys(body).length === 0) return
      expectDone(await root('PATCH', `${space}/resources/${id}`, body))
    })
  }

  async function application(label: string, body: object, grants: readonly object[]) {
    const { json } = await make('applications', label, '/applications', { name: label, ...body })
    const id = json.id
    if (json.secret) secrets.set(label, json.secret)
    if (grants.length > 0) {
      const answer = expectDone(await root('PUT', `/applications/${id}/grants`, { grants }))
      world.given.set(id, answer.json.grants)
    }
    if (!WITH_SPARE.has(label)) return
    const made = await make('secrets', label, `/applications/${id}/secrets`, { name: 'spare' })
    parents.set(`secrets/${label}`, `applications/${label}`)
    expectDone(made)
  }

  const item = (name: string) => ({ pattern: names.get(`items/${name}`) })
  const all = (prefix: string) => ({ pattern: `${names.get(`prefixes/${prefix}`)}:*` })

  async function applications() {
    const owner = names.get('users/manager')
    const machine = { kind: 'machine' }
    const redirectUris = ['https://app.example/callback']
    const web = { kind: 'web', redirectUris, pkce: 'not_required' }
    const strong = PORTAL_SCOPE_NAMES.map((pattern) => ({ pattern }))
    await Promise.all([
      application('own', { ...machine, owner }, [
        ...[item('open:plain'), item('closed:plain')],
        { pattern: 'users:write', validUntil: PAST },
        { pattern: 'users:read' },
        { pattern: 'users:read', effect: 'deny' },
        { pattern: 'settings:write', condition: NEVER_MET },
      ]),
      application('own-web', { ...web, owner }, [item('open:plain'), item('closed:ranked')]),
      application('own-strong', { ...machine, owner }, [{ pattern: 'users:read' }]),
      application('other', { ...machine, owner: names.get('users/colleague') }, [
        item('closed:sensitive'),
      ]),
      // What the owner owns, nobody else does who merely holds a token of theirs.
      application('owners', { ...machine, owner: names.get('users/owner') }, [
        item('closed:sensitive'),
        item('kept:plain'),
      ]),
      application('strong', machine, [...strong, all('closed'), all('kept')]),
      application('strong-web', web, [
        { pattern: 'users:read' },
        { pattern: 'users:write' },
        all('closed'),
      ]),
      application('users-web', web, [{ pattern: 'users:write' }]),
      application('apps-web', web, [{ pattern: 'applications:write' }]),
      // What people use: one that calls services for them, and one that acts at the portal.
      application('front', web, [all('open')]),
      application('agent', web, strong),
      application('spa', { ...web, kind: 'spa', pkce: 'required' }, [all('closed')]),
      application('peer', machine, [{ pattern: 'applications:write' }]),
      application('off', { ...machine, enabled: false }, [{ pattern: 'audit:read' }]),
      application('weak', machine, []),
      application('engine', machine, []),
      application('later', machine, [
        { pattern: 'users:write', validFrom: FUTURE },
        { pattern: 'roles:write', condition: NEVER_MET },
      ]),
    ])
  }

  async function rest() {
    const keys = {
      strong: { name: 'narrow', scopes: ['applications:write'] },
      weak: { name: 'any' },
      own: { name: 'any' },
    }
    await each(keys, async (label, body) => {
      const path = `/applications/${names.get(`applications/${label}`)}/keys`
      const { json } = await make('keys', label, path, body)
      secrets.set(`key ${label}`, json.secretKey)
      parents.set(`keys/${label}`, `applications/${label}`)
    })
    await outsiders()
    const hook = { name: tag, url: 'https://hooks.example/in', events: ['user.deleted'] }
    await make('webhooks', 'hook', '/webhooks', hook)
    const sessions = await root('GET', `/users/${names.get('users/owner')}/sessions`)
    names.set('sessions', 'owner', sessions.json.data[0]?.id ?? 'ses_none')
    parents.set('sessions/owner', 'users/owner')
  }

  /** Whoever of two people did not ask decides. */
  async function requestRules() {
    const approversOf = { closed: ['admin', 'deputy'], kept: ['keeper', 'boss'] }
    await each(approversOf, async (label, people) => {
      const ids = people.map((person) => names.get(`users/${person}`))
      await requestRule(
        label,
        `${label}:ranked`,
        ids.map((id) => ({ type: 'user', id })),
      )
    })
    await decidedByMany()
    await asked('closed', alice)
    await asked('kept', asOwner)
    await reviewed('clerk', ['admin', 'plain'])
  }

  async function requestRule(
    label: string,
    name: string,
    approvers: readonly Approver[],
    { deputies = [], people = [], reviewers = [], enabled = true }: Partial<NamedPeople> = {},
  ) {
    const api = names.get(`resources/${name.split(':')[0]}`)
    const named = [...approvers, ...deputies, ...people, ...reviewers]
    world.decisions.push({ ...whoIn(named), name: `the rule ${label}`, api, takes: [] })
    await make('request-rules', label, '/request-rules', {
      api,
      name: label,
      patterns: [names.get(`items/${name}`)],
      maxSeconds: 3600,
      stages: [{ approvers, escalateTo: deputies, needed: 1 }],
      ...(people.length > 0 && { emergency: { people, reviewers } }),
      enabled,
    })
  }

  /** By a group, a role, an attribute, late, alone at night, and by a rule that is off. */
  async function decidedByMany() {
    const group = (label: string) => ({ type: 'group', id: names.get(`groups/${label}`) })
    const user = (label: string) => ({ type: 'user', id: names.get(`users/${label}`) })
    const role = { type: 'role', id: names.get('roles/approver') }
    const manager = { type: 'manager', attribute: 'manager' }
    await requestRule('open', 'open:ranked', [group('approvers'), role, manager], {
      deputies: [user('former')],
      people: [group('oncall')],
      reviewers: [group('watch')],
    })
    await requestRule('off', 'open:sensitive', [group('later')], { enabled: false })
  }

  /** Each of the people holds the role, too. */
  async function reviewed(label: string, people: readonly string[]) {
    const earlier = await root('GET', '/reviews?view=started&status=open')
    for (const { id } of earlier.json?.data ?? [])
      await root('POST', `/reviews/${id}/cancellation`, {})
    const reviewers = people.map((person) => names.get(`users/${person}`))
    const over = { type: 'role', id: names.get(`roles/${label}`) }
    const group = names.get('groups/watch')
    const body = reviewBody(tag, over, reviewers)
    const named = [...body.reviewers, { type: 'group', id: group }]
    const { json } = expectDone(await root('POST', '/reviews', { ...body, reviewers: named }))
    world.reviews.push({ name: label, id: json.id, reviewers, group })
    const takes = ['assignments:write']
    world.decisions.push({ ...whoIn(named), name: `the review ${label}`, api: null, takes })
  }

  /** Somebody else waits for a decision; so many a day, and then nobody does. */
  async function asked(label: string, by: typeof root) {
    const earlier = await by('GET', '/access-requests?status=pending')
    for (const { id } of earlier.json?.data ?? [])
      await by('POST', `/access-requests/${id}/cancellation`, {})
    const item = names.get(`items/${label}:ranked`)
    const body = { scope: item, reason: 'The year ends' }
    const { status, json } = await by('POST', '/access-requests', body)
    if (status >= 300) return
    const api = names.get(`resources/${label}`)
    const who = { name: label, id: json.id, asker: json.user.id }
    world.asked.push({ ...who, api, item, approved: false })
  }

  /** With an initial access token, a client can register for signing in and for one permission. */
  async function outsiders() {
    const scopes = ['openid', 'email', item('closed:plain').pattern]
    const clientRegistration = { ...DEFAULT_CLIENT_REGISTRATION, mode: 'token', scopes }
    expectDone(await root('PATCH', '/settings', { clientRegistration }))
  }

  return { people, apis, roles, groups, assignments, owners, applications, requestRules, rest }
}

/** At once: what is made in what order makes no difference. */
async function each<T>(
  all: Readonly<Record<string, T>> | readonly T[],
  work: (label: string, one: T) => Promise<void>,
): Promise<void> {
  await Promise.all(Object.entries(all).map(([label, one]) => work(label, one)))
}

type Approver = { type: string; id?: string; attribute?: string }
type NamedPeople = Record<'deputies' | 'people' | 'reviewers', readonly Approver[]> & {
  enabled: boolean
}

/** As the model understands it. */
function whoIn(named: readonly Approver[]) {
  const ids = (wanted: string) =>
    named.flatMap(({ type, id }) => (type === wanted && id !== undefined ? [id] : []))
  const attributes = named.flatMap(({ attribute }) => attribute ?? [])
  return { people: ids('user'), groups: ids('group'), roles: ids('role'), attributes }
}

type Owner = { type: string; id: string }

/** As the route takes them; null where APIs have no owners. */
function ownersBody(owners: readonly Owner[]): object | null {
  const body = routes.find(({ id }) => id === 'changeResource')?.body
  const schema = body ? (toSchema(body, 'input') as Schema) : {}
  const field = schema.properties?.owners
  if (!field) return null
  const isObject = field.items?.type === 'object' || field.items?.properties !== undefined
  return { owners: isObject ? owners : owners.map(({ id }) => id) }
}

export function expectDone(answer: WireAnswer): WireAnswer {
  if (answer.status < 300) return answer
  throw new Error(`the world could not be made: ${answer.status} ${answer.body}`)
}

/** What somebody has deleted of themselves has nothing left to take. */
export function expectTaken(answer: WireAnswer): void {
  if (answer.status !== 404) expectDone(answer)
}
