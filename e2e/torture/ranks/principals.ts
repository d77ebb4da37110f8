import { PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import { TOKEN_EXCHANGE } from '../../../lib/oidc/grants/token-exchange'
import { formOf, OldBrowser } from '../../support/old-browser'
import type { Samples } from '../fuzz/samples'
import type { Lure } from './hands'
import type { Stage } from './stage'
import { expectDone, expectTaken, FUTURE, NEVER_MET, type World } from './world'

/**
 * Who attacks: a person of each rank, those who act for people, a machine with each single scope,
 * and a few that are mixed.
 */

export type Attacker = {
  who: string
  /** What it has at the start, and who it is. */
  enter(stage: Stage, world: World): Promise<EnteredPrincipals>
}

export type ClientInHand = {
  name: string
  clientId: string
  application: string
  secret: string | null
}
export type SessionInHand = { name: string; user: string; cookie: string; browser: OldBrowser }

export type EnteredPrincipals = {
  person: string | null
  application: string | null
  clients: ClientInHand[]
  sessions: SessionInHand[]
  lures?: [name: string, lure: Lure][]
  initialTokens?: { name: string; text: string }[]
  /** The owner takes away what it was given. */
  demote(): Promise<void>
}

export const PASSWORD = 'a password of somebody who wants more'

export function attackers(samples: Samples): Attacker[] {
  const singles = PORTAL_SCOPE_NAMES.map((scope) => machine(scope, [{ pattern: scope }]))
  const mixed = [
    machine('applications:write, for a while', SOON),
    ...[1, 2, 3].map(() => mix(samples)),
  ]
  return [
    ...['admin', 'manager', 'auditor', 'plain', 'keeper', 'colleague'].map(person),
    ...['admin', 'manager', 'auditor', 'plain'].map(withAgent),
    service,
    outsider,
    invited,
    ...singles,
    ...mixed,
    narrowKey,
  ]
}

const SOON = [
  { pattern: 'applications:write' },
  { pattern: 'applications:read' },
  { pattern: 'users:read', validUntil: FUTURE },
]

function mix(samples: Samples): Attacker {
  const count = 2 + samples.at(4)
  const some = Array.from({ length: count }, () => samples.pick(PORTAL_SCOPE_NAMES) ?? 'users:read')
  const scopes = [...new Set(['applications:write', ...some])]
  return machine(
    scopes.join(' '),
    scopes.map((pattern) => ({ pattern })),
  )
}

// ---------------------------------------------------------------- machines

/** Roles of service accounts give it something, hold something back, and give more another time. */
const ROLES = {
  me: { role: 'service' },
  'me-brake': { role: 'brake' },
  'me-later': { role: 'engine', condition: NEVER_MET },
}

function machine(who: string, grants: readonly object[]): Attacker {
  return {
    who: `a machine with ${who}`,
    async enter({ root }, { names, given, roled }) {
      const body = { kind: 'machine', name: 'attacker' }
      const { json } = expectDone(await root('POST', '/applications', body))
      names.set('applications', 'me', json.id)
      const put = await root('PUT', `/applications/${json.id}/grants`, { grants })
      given.set(json.id, expectDone(put).json.grants)
      roled.add(json.id)
      const subject = { type: 'client', id: json.id }
      const path = `/spaces/${names.get('spaces/here')}/assignments`
      const assign = async ([label, role]: [string, object]) => {
        const assigned = expectDone(await root('POST', path, { ...role, subject }))
        names.set('assignments', label, assigned.json.id)
      }
      await Promise.all(Object.entries(ROLES).map(assign))
      return {
        person: null,
        application: json.id,
        sessions: [],
        clients: [{ name: 'me', clientId: json.id, application: json.id, secret: json.secret }],
        demote: async () =>
          expectTaken(await root('PUT', `/applications/${json.id}/grants`, { grants: [] })),
      }
    },
  }
}

/** Of an application that holds everything, it gets one scope. */
const narrowKey: Attacker = {
  who: 'an access key that is narrower than its application',
  async enter({ root }, { names, secrets }) {
    const clientId = names.get('keys/strong')
    const application = names.get('applications/strong')
    const secret = secrets.get('key strong') ?? ''
    const path = `/applications/${application}/keys/${clientId}`
    return {
      person: null,
      application,
      sessions: [],
      clients: [{ name: 'me', clientId, application, secret }],
      demote: async () => expectTaken(await root('PATCH', path, { enabled: false })),
    }
  },
}

// ---------------------------------------------------------------- people

/** Signed in. An app manager also has the secret of the application that they run. */
function person(label: string): Attacker {
  return {
    who: `the person ${label}`,
    async enter(stage, world) {
      const { names, secrets } = world
      const { root } = stage
      const user = names.get(`users/${label}`)
      const path = `/users/${user}/invitation`
      const { json } = expectDone(await root('POST', path, { returnLink: true }))
      const browser = await enterByLink(stage, json.link, names.get(`emails/${label}`))
      if (browser === null) throw new Error(`${label} could not sign in`)
      const cookie = browser.cookieHeader()
      const application = names.get('applications/own')
      const secret = secrets.get('own') ?? ''
      return {
        person: user,
        application: null,
        sessions: [{ name: 'me', user, cookie, browser }],
        clients:
          label === 'manager' ? [{ name: 'own', clientId: application, application, secret }] : [],
        demote: async () => expectTaken(await root('PATCH', `/users/${user}`, { adminRole: null })),
      }
    },
  }
}

/** Chooses a password at a link that opens an account, and signs in; null where that is refused. */
export async function enterByLink(
  { origin }: Stage,
  link: string,
  email: string,
): Promise<OldBrowser | null> {
  const browser = new OldBrowser(origin)
  const page = await browser.open(link)
  if (!formOf(page).asksPassword) return null
  await browser.submit(page, { password: PASSWORD })
  await browser.signIn(await browser.open('/login'), { email, password: PASSWORD })
  return browser.cookies.has('gatehouse.session') ? browser : null
}

// ---------------------------------------------------------------- agents, services and unknown clients

/** The person lets an agent act for them, which an admin has granted everything. */
function withAgent(label: string): Attacker {
  const { enter } = person(label)
  return {
    who: `an agent of the ${label}`,
    async enter(stage, world) {
      return { ...(await enter(stage, world)), lures: [lureOf(world, 'agent', 'me')] }
    },
  }
}

/** An application of somebody else, whose tokens come to the attacker. */
function lureOf({ names, secrets }: World, label: string, by: Lure['by']): [string, Lure] {
  const clientId = names.get(`applications/${label}`)
  const secret = secrets.get(label) ?? ''
  const client = { name: label, clientId, application: clientId, secret }
  return [`<applications/${label}>`, { redirect: 'https://app.example/callback', client, by }]
}

/**
 * A service that people's applications call, and one that it calls in turn: each may exchange the
 * tokens that it gets for some permissions, under some conditions, from some applications.
 */
const service: Attacker = {
  who: 'a service that exchanges tokens',
  async enter({ root }, world) {
    const { names, given } = world
    const item = (name: string) => names.get(`items/${name}`)
    const from = (label: string) => ({ exchangeFrom: names.get(`applications/${label}`) })
    const any = { exchangeFrom: '*' }
    const make = async (name: string, serves: string, grants: () => object[]) => {
      const grantTypes = ['client_credentials', TOKEN_EXCHANGE]
      const body = { kind: 'machine', name, grantTypes }
      const { json } = expectDone(await root('POST', '/applications', body))
      names.set('applications', name, json.id)
      const put = await root('PUT', `/applications/${json.id}/grants`, { grants: grants() })
      given.set(json.id, expectDone(put).json.grants)
      const api = `/spaces/${names.get('spaces/here')}/resources/${names.get(`resources/${serves}`)}`
      expectDone(await root('PATCH', api, { introspectors: [json.id] }))
      return { name, clientId: json.id, application: json.id, secret: json.secret }
    }
    const me = await make('me', 'open', () => [
      { pattern: 'applications:write' },
      { pattern: item('closed:plain'), ...from('front') },
      { pattern: item('closed:sensitive'), ...from('own-web') },
      { pattern: item('closed:ranked'), ...any },
      { pattern: item('kept:plain'), ...any, condition: NEVER_MET },
      { pattern: item('kept:sensitive') },
      { pattern: item('open:sensitive'), ...any },
      { pattern: item('open:sensitive'), effect: 'deny' },
    ])
    const next = await make('me-next', 'closed', () => [
      { pattern: item('kept:plain'), ...from('me') },
      { pattern: item('kept:sensitive'), ...from('front') },
      { pattern: item('open:plain'), ...any },
    ])
    return {
      person: null,
      application: me.application,
      sessions: [],
      clients: [me, next],
      lures: [lureOf(world, 'front', 'owner')],
      demote: async () =>
        expectTaken(await root('PUT', `/applications/${me.application}/grants`, { grants: [] })),
    }
  },
}

const NOTHING = { person: null, application: null, sessions: [], clients: [] }

const outsider: Attacker = {
  who: 'an outsider',
  enter: async () => ({ ...NOTHING, demote: async () => {} }),
}

const invited: Attacker = {
  who: 'an outsider with an initial access token',
  async enter({ root }) {
    const body = { name: 'partner', mostUses: 100 }
    const { json } = expectDone(await root('POST', '/initial-access-tokens', body))
    const demote = async () =>
      expectTaken(await root('DELETE', `/initial-access-tokens/${json.id}`))
    return { ...NOTHING, initialTokens: [{ name: 'me', text: json.token }], demote }
  },
}
