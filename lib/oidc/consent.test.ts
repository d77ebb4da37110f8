import { describe, expect, test } from 'vitest'
import {
  APP,
  application,
  askOf,
  credential,
  incoming,
  item,
  NOW,
  opOf,
  refusalIn,
  USER,
  type World,
} from '../../e2e/support/protocol'
import type { AuthorizationRequest } from './authorization-request'
import type { Application } from './client'
import {
  type ConsentState,
  type ConsentView,
  consentView,
  requireWeighed,
  saidNo,
  weighConsent,
} from './consent'
import type { BrowserSession } from './provider'
import type { Interaction } from './stores'

const session: BrowserSession = {
  id: 'ses',
  signedInAt: new Date(NOW),
  authTime: new Date(NOW),
  provenAt: new Date(NOW),
  acr: 'pwd',
  amr: ['pwd'],
  user: { id: USER },
}

const READ_AND_WRITE = { granted: ['orders:read', 'orders:write'] }

describe('weighConsent: what is there to agree to? (OIDC Core §3.1.2.4)', () => {
  type Row = [
    what: string,
    world: World,
    ask: Partial<AuthorizationRequest>,
    weighed: Partial<ConsentState>,
  ]

  test.each<Row>([
    [
      'nothing was said before',
      READ_AND_WRITE,
      { scopes: ['openid', 'orders:read'] },
      { granted: ['openid', 'orders:read'], refused: [], undecided: ['openid', 'orders:read'] },
    ],
    [
      'a part was agreed to before',
      { ...READ_AND_WRITE, consents: { openid: true, 'orders:read': true } },
      { scopes: ['openid', 'orders:read', 'orders:write'] },
      { undecided: ['orders:write'] },
    ],
    [
      'a no is an answer, and is not asked about again',
      { ...READ_AND_WRITE, consents: { 'orders:read': true, 'orders:write': false } },
      { scopes: ['orders:read', 'orders:write'] },
      { granted: ['orders:read', 'orders:write'], undecided: [] },
    ],
    [
      'what the decision refuses is nothing to agree to',
      { granted: ['orders:read'] },
      { scopes: ['orders:read', 'orders:write', 'nope'] },
      { granted: ['orders:read'], refused: ['orders:write', 'nope'], undecided: ['orders:read'] },
    ],
    [
      'claims of `profile` that are asked for by name (attack B29)',
      READ_AND_WRITE,
      { scopes: ['openid'], claims: { userinfo: { email: null }, id_token: { name: null } } },
      { granted: ['openid'], named: ['profile'], undecided: ['openid', 'profile'] },
    ],
    [
      'such claims, which the user said no to before',
      { ...READ_AND_WRITE, consents: { openid: true, profile: false } },
      { scopes: ['openid'], claims: { userinfo: { name: null }, id_token: {} } },
      { named: ['profile'], undecided: [] },
    ],
    [
      'such claims without `openid`, which gives nothing',
      READ_AND_WRITE,
      { scopes: ['orders:read'], claims: { userinfo: { name: null }, id_token: {} } },
      { named: [], undecided: ['orders:read'] },
    ],
    [
      'a resource of another API (RFC 8707)',
      READ_AND_WRITE,
      { scopes: ['orders:read'], resources: ['https://other.test'] },
      { granted: [], refused: ['orders:read'] },
    ],
  ])('%s', async (_what, world, ask, expected) => {
    const weighed = await weighConsent(opOf(world), incoming(), askOf(ask), credential(), session)
    expect(weighed).toMatchObject(expected)
  })

  test('B29: nor claims by name beyond the limit of the application', async () => {
    const client = credential({ scopeLimit: ['openid'] })
    const ask = askOf({ scopes: ['openid'], claims: { userinfo: { name: null }, id_token: {} } })
    const weighed = await weighConsent(opOf(READ_AND_WRITE), incoming(), ask, client, session)
    expect(weighed).toMatchObject({ granted: ['openid'], named: [], undecided: ['openid'] })
  })

  test.each<[string, Partial<AuthorizationRequest>, boolean]>([
    ['counts for who may use the application', {}, false],
    ['is open again with prompt=consent', { prompt: ['consent'] }, true],
  ])('a no that was said to a required scope %s', async (_what, ask, admitted) => {
    const op = opOf({ ...READ_AND_WRITE, consents: { 'orders:read': false } })
    const client = credential({ requiredScopes: ['orders:read'] })
    const weighed = await weighConsent(op, incoming(), askOf(ask), client, session)
    expect(weighed.admitted).toBe(admitted)
  })
})

describe('requireWeighed: is there anything to issue?', () => {
  const weighed = (more: Partial<ConsentState>): ConsentState => ({
    granted: ['openid'],
    refused: [],
    answered: new Map(),
    undecided: [],
    named: [],
    provable: [],
    requestable: [],
    missing: [],
    admitted: true,
    unconfirmed: false,
    ...more,
  })

  test.each<[string, Partial<ConsentState>, Partial<Application>, string]>([
    ['something is granted', {}, {}, 'not refused'],
    ['a part is granted (RFC 6749 §3.3)', { refused: ['a'] }, {}, 'not refused'],
    [
      'a part, where all is wanted',
      { refused: ['a'] },
      { strictScopes: true },
      'invalid_scope scopes_refused',
    ],
    ['nothing is granted', { granted: [] }, {}, 'invalid_scope scopes_refused'],
    [
      'B43: the user may not use the application',
      { admitted: false },
      {},
      'access_denied user_not_admitted',
    ],
    [
      'that counts before scopes',
      { admitted: false, granted: [] },
      {},
      'access_denied user_not_admitted',
    ],
  ])('%s', async (_what, more, client, refusal) => {
    expect(await refusalIn(() => requireWeighed(weighed(more), application(client)))).toBe(refusal)
  })
})

test('saidNo: only what was refused', () => {
  expect(saidNo(new Map(Object.entries({ a: true, b: false, c: false })))).toEqual(
    new Set(['b', 'c']),
  )
  expect(saidNo(new Map())).toEqual(new Set())
})

describe('consentView: what the page shows', () => {
  const face = {
    publisher: 'P',
    firstParty: false,
    publisherVerified: false,
    registration: 'admin' as const,
    logoUri: null,
    policyUri: null,
    tosUri: null,
    branding: {
      accent: null,
      accentDark: null,
      signInText: {},
      consentText: {},
      methods: null,
      logos: { light: null, dark: null },
      picture: null,
    },
  }
  const described = new Map([
    ['orders:write', { apiName: 'Orders', sentences: { en: 'Change' }, sensitive: true }],
  ])

  async function view(
    world: World,
    ask: Partial<AuthorizationRequest>,
    more: Partial<Application> = {},
  ): Promise<ConsentView | null> {
    const answered = new Map(Object.entries(world.consents ?? {}))
    const consents = {
      find: async () => answered,
      isPaused: async () => false,
      describe: async () => described,
      face: async () => face,
    }
    const op = opOf({ credentials: [credential(more)], ...world, op: { consents, ...world.op } })
    const interaction: Interaction = {
      id: 'int',
      browserHash: '',
      ask: askOf(ask),
      consentedAt: null,
      chosenAt: null,
      denied: false,
    }
    return consentView(op, incoming(), interaction, session)
  }

  test('null when the application is gone', async () => {
    expect(await view({ credentials: [] }, {})).toBeNull()
  })

  test('scopes of sign-in together, every other one a choice of its own', async () => {
    const shown = await view(
      { ...READ_AND_WRITE, consents: { 'orders:read': true } },
      { scopes: ['openid', 'email', 'orders:read', 'orders:write'] },
      { requiredScopes: ['orders:read'] },
    )
    expect(shown).toMatchObject({ applicationId: APP, publisher: 'P', redirectHost: 'rp.test' })
    expect(shown?.signIn).toEqual(['openid', 'email'])
    expect(shown?.items).toEqual([
      {
        scope: 'orders:read',
        apiName: '',
        sentences: {},
        sensitive: false,
        required: true,
        ticked: true,
        known: true,
      },
      {
        scope: 'orders:write',
        apiName: 'Orders',
        sentences: { en: 'Change' },
        sensitive: true,
        required: false,
        ticked: true,
        known: false,
      },
    ])
  })

  test('what was refused before is not ticked', async () => {
    const world = { ...READ_AND_WRITE, consents: { 'orders:read': false } }
    const shown = await view(world, { scopes: ['orders:read'] })
    expect(shown?.items).toMatchObject([{ ticked: false, known: false }])
  })

  test('what is refused is not shown', async () => {
    const shown = await view(
      { granted: ['orders:read'] },
      { scopes: ['orders:read', 'orders:write'] },
    )
    expect(shown?.items.map(({ scope }) => scope)).toEqual(['orders:read'])
  })

  test.each<[string, string]>([
    ['https://rp.test/cb', 'rp.test'],
    ['http://127.0.0.1:4000/cb', '127.0.0.1:4000'],
    ['com.example.app:/cb', 'com.example.app:'],
    ['com.evil.app://portal.example/cb', 'com.evil.app:'],
  ])('R20: where %s leads: %s', async (redirectUri, host) => {
    expect((await view({}, { redirectUri }))?.redirectHost).toBe(host)
  })

  test('a scope that needs a user is shown, for there is one', async () => {
    const items = [item('orders:read', { userBound: true })]
    const shown = await view({ granted: ['orders:*'], items }, { scopes: ['orders:read'] })
    expect(shown?.items).toHaveLength(1)
  })
})
