import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../../support/api'
import {
  ANY,
  call,
  changed,
  created,
  demo,
  pointers,
  portal,
  startApi,
  unique,
} from '../../support/api-objects'
import { askToken } from '../../support/ask'
import { usually } from '../../support/databases'
import {
  authorizeUrl,
  exchange,
  getCode,
  pkcePair,
  received,
  userinfo,
  webRequest,
} from '../../support/flow'
import { OldBrowser } from '../../support/old-browser'

/** What an application learns about a user: groups, roles, requested claims and mapped attributes. */

const SCOPE = 'openid profile email groups roles orders:read'
const ATTRIBUTES = [
  attribute('department', 'string'),
  attribute('level', 'number', { inConditions: false }),
  attribute('motto', 'string', { seenBy: 'user', changedBy: 'user', inConditions: false }),
]

function attribute(key: string, type: string, more: object = {}) {
  return {
    key,
    name: key,
    type,
    seenBy: 'admins',
    changedBy: 'admins',
    inConditions: true,
    ...more,
  }
}

describe.each(usually('sqlite'))('claims on %s', (kind) => {
  startApi(kind)
  const ALICE = '/users/usr_demo_alice'
  const web = () => `/applications/${demo.web.client_id}`
  const map = (claimMappings: object[]) => changed('PATCH', web(), { claimMappings })
  const define = (userAttributes: object[]) => changed('PATCH', '/settings', { userAttributes })
  let browser: OldBrowser

  beforeAll(async () => {
    expect((await define(ATTRIBUTES)).status).toBe(200)
    const attributes = { department: 'Sales', level: 3, motto: 'onward' }
    expect((await changed('PATCH', ALICE, { attributes, username: 'alice' })).status).toBe(200)
    const { id } = await created('/groups', { key: unique('clerks'), name: 'Clerks' })
    const joined = await call('PUT', `/groups/${id}/members/usr_demo_alice`, undefined, ANY)
    expect(joined.status).toBeLessThan(300)
    browser = new OldBrowser(portal.origin)
    const login = await browser.open(authorizeUrl(webRequest(demo, { scope: SCOPE })))
    const consent = await browser.signIn(login, demo.users[0] ?? { email: '', password: '' })
    expect(new URL(consent.url).pathname).toBe('/consent')
    await browser.submit(consent, { scope: ['orders:read'] })
  })

  async function signIn(more: Record<string, string> = {}) {
    const fields = webRequest(demo, { scope: SCOPE, ...more })
    const tokens = JSON.parse((await exchange(portal, await getCode(browser, fields))).body)
    return {
      idToken: decodeJwt(tokens.id_token),
      accessToken: decodeJwt(tokens.access_token),
      userinfo: JSON.parse((await userinfo(portal.origin, tokens.access_token)).body),
    }
  }

  test('groups and roles come from userinfo, by key', async () => {
    const { userinfo: told, idToken } = await signIn()
    expect(told).toMatchObject({
      preferred_username: 'alice',
      groups: [expect.stringMatching(/^clerks-/)],
      roles: ['clerk'],
    })
    expect(idToken).not.toHaveProperty('groups')
    expect(idToken).not.toHaveProperty('email')
  })

  test('B29: claims requested by name need the scope that the user consented to', async () => {
    const claims = {
      id_token: {
        email: null,
        roles: { values: [['clerk']] },
        name: { value: 'Somebody else' },
        phone_number: { essential: true },
      },
    }
    const { idToken } = await signIn({ claims: JSON.stringify(claims) })
    expect(idToken).toMatchObject({ email: 'alice@gatehouse.example', roles: ['clerk'] })
    expect(idToken).not.toHaveProperty('name')
    expect(idToken).not.toHaveProperty('phone_number')
    const without = await signIn({ scope: 'openid', claims: JSON.stringify(claims) })
    expect(without.idToken).not.toHaveProperty('email')
    expect(without.idToken).not.toHaveProperty('roles')
  })

  describe('a new application', () => {
    const CALLBACK = 'https://shop.example/callback'
    const CLAIMS = ['name', 'preferred_username', 'email', 'groups', 'roles', 'phone_number']
    const fields = (of: string) => ({ kind: of, name: unique('Shop'), redirectUris: [CALLBACK] })

    async function idTokenOf(id: string, secret: string, scope: string) {
      const { verifier, challenge } = pkcePair()
      const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
      const asked = { client_id: id, redirect_uri: CALLBACK, response_type: 'code', scope, ...pkce }
      const consent = await browser.open(authorizeUrl({ ...asked, prompt: 'consent' }))
      const { code = '' } = received(await browser.submit(consent, { scope: scope.split(' ') }))
      const redeem = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK }
      const by = { client_id: id, client_secret: secret, code_verifier: verifier }
      const answer = await askToken(portal.origin, { ...redeem, ...by })
      expect(answer.status).toBe(200)
      const tokens = JSON.parse(answer.body)
      const told = JSON.parse((await userinfo(portal.origin, tokens.access_token)).body)
      return { idToken: decodeJwt(tokens.id_token), userinfo: told }
    }

    test('E16: has the claims of the granted scopes in its ID token, and no others', async () => {
      const { id, secret } = await created('/applications', fields('web'))
      const { idToken } = await idTokenOf(id, secret, 'openid email groups')
      expect(Object.keys(idToken).filter((name) => CLAIMS.includes(name))).toEqual([
        'email',
        'groups',
      ])
      const whole = await idTokenOf(id, secret, 'openid profile email groups roles')
      expect(whole.idToken).toMatchObject(whole.userinfo)
      expect(whole.userinfo).toMatchObject({ preferred_username: 'alice', roles: [] })
    })

    test('can be made without them; userinfo is the same', async () => {
      const without = { ...fields('web'), profileInIdToken: false }
      const { id, secret } = await created('/applications', without)
      const told = await idTokenOf(id, secret, 'openid email')
      expect(told.idToken).not.toHaveProperty('email')
      expect(told.userinfo).toMatchObject({ email: 'alice@gatehouse.example' })
    })

    test.each([
      ['web', true],
      ['native', true],
      ['spa', true],
      ['device', false],
    ])('%s: %s', async (of, told) => {
      const made = await call('POST', '/applications', fields(of))
      expect(made.json).toMatchObject({ profileInIdToken: told })
    })

    test('of a configuration file that does not say it has them not, and stays as it is', async () => {
      const { kind: of, ...rest } = fields('web')
      const document = { version: 1, applications: [{ id: unique('filed'), kind: of, ...rest }] }
      const apply = () => call('POST', '/configuration', document)
      expect((await apply()).status).toBe(200)
      const path = `/applications/${document.applications[0]?.id}`
      expect((await call('GET', path)).json).toMatchObject({ profileInIdToken: false })
      expect((await changed('PATCH', path, { profileInIdToken: true })).status).toBe(200)
      expect((await apply()).json).toMatchObject({ changes: [] })
      expect((await call('GET', path)).json).toMatchObject({ profileInIdToken: true })
    })
  })

  test('`sub` with a value is the user who has to be signed in', async () => {
    const claims = JSON.stringify({ id_token: { sub: { value: 'usr_demo_bob' } } })
    const other = await browser.open(authorizeUrl(webRequest(demo, { claims, prompt: 'none' })))
    expect(new URL(other.url).searchParams.get('error')).toBe('login_required')
  })

  test('the preview has the claims of the tokens that are issued', async () => {
    const places = ['id_token', 'userinfo', 'access_token']
    const mappings = [
      { attribute: 'department', claim: 'https://shop.example/department', in: places },
      { attribute: 'level', claim: 'clearance', in: ['id_token', 'access_token'] },
      { attribute: 'motto', claim: 'motto', in: ['userinfo'] },
    ]
    expect((await map(mappings)).status).toBe(200)
    expect((await changed('PATCH', web(), { profileInIdToken: true })).status).toBe(200)
    const real = await signIn()
    const asked = { client: demo.web.client_id, user: 'alice', scope: SCOPE }
    const { json } = await call('POST', '/scopes/decide', asked)
    const ids = ['jti', 'grant_id', 'sid', 'iat', 'exp', 'auth_time', 'at_hash', 'nonce']
    const lasting = (claims: object) =>
      Object.fromEntries(Object.entries(claims).filter(([name]) => !ids.includes(name)))
    expect(lasting(json.idToken)).toEqual(lasting(real.idToken))
    expect(lasting(json.claims)).toEqual(lasting(real.accessToken))
    expect(json.userinfo).toEqual(real.userinfo)
    expect(real.accessToken).toMatchObject({
      'https://shop.example/department': 'Sales',
      clearance: 3,
    })
    expect(real.idToken).toMatchObject({ email: 'alice@gatehouse.example', roles: ['clerk'] })
    expect(real.userinfo).toMatchObject({ motto: 'onward' })
    expect(real.accessToken).not.toHaveProperty('motto')
  })

  test('without users:read the preview says nothing about the user', async () => {
    const narrow = await machineToken(portal, 'scopes:decide permissions:explain')
    const asked = { client: demo.web.client_id, user: 'alice', scope: SCOPE }
    const { status, json } = await callApi(portal, narrow, 'POST', '/scopes/decide', asked)
    expect([status, json.outcome, json.idToken, json.userinfo]).toEqual([
      200,
      'granted',
      null,
      null,
    ])
    expect(json.claims).toMatchObject({ sub: 'usr_demo_alice' })
    expect(json.claims).not.toHaveProperty('clearance')
  })

  test.each<[string, object, string]>([
    ['not of its type', { level: 'three' }, '/attributes/level'],
    ['a number that is a list', { department: ['Sales'] }, '/attributes/department'],
  ])('N28: an attribute that is %s is refused', async (_what, attributes, pointer) => {
    const refused = await changed('PATCH', ALICE, { attributes })
    expect([refused.status, pointers(refused)]).toEqual([400, [pointer]])
    const csv = `email,attributes\nx@y.example,"${JSON.stringify(attributes).replaceAll('"', '""')}"`
    const imported = await call('POST', '/users:import', { csv, dryRun: true })
    expect(imported.json.data[0].outcome).toBe('invalid')
  })

  test.each<[string, object, string]>([
    [
      'a claim of the protocol',
      { attribute: 'department', claim: 'sub' },
      '/claimMappings/0/claim',
    ],
    ['a claim of a scope', { attribute: 'department', claim: 'groups' }, '/claimMappings/0/claim'],
    ['`client_id`', { attribute: 'department', claim: 'client_id' }, '/claimMappings/0/claim'],
    ['an unknown attribute', { attribute: 'shoe', claim: 'shoe' }, '/claimMappings/0/attribute'],
    ['no name', { attribute: 'department', claim: '9 lives' }, '/claimMappings/0/claim'],
    [
      'what users write themselves, in access tokens',
      { attribute: 'motto', claim: 'motto', in: ['access_token'] },
      '/claimMappings/0/in',
    ],
  ])('N29: a mapping to %s is refused', async (_what, mapping, pointer) => {
    const refused = await map([{ in: ['userinfo'], ...mapping }])
    expect([refused.status, pointers(refused)]).toEqual([400, [pointer]])
  })

  test('N30: what users write themselves is never read by conditions, then or later', async () => {
    const closed = (more: object) => ({ ...ATTRIBUTES[2], ...more })
    const others = ATTRIBUTES.slice(0, 2)
    const refused = [
      await define([...others, closed({ inConditions: true })]),
      await define([...others, closed({ changedBy: 'admins', inConditions: true })]),
      await define([...others, closed({ seenBy: 'admins' })]),
      await define([...others, ...others]),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400])
    expect((await define(others)).status).toBe(200)
    const again = await define([...others, attribute('motto', 'string')])
    expect([again.status, pointers(again)]).toEqual([400, ['/userAttributes/2/inConditions']])
    expect((await define(ATTRIBUTES)).status).toBe(200)
  })

  test('N31: a user name that looks like an address, and one that is taken', async () => {
    const { id } = await created('/users', { email: `${unique('new')}@gatehouse.example` })
    const odd = await changed('PATCH', `/users/${id}`, { username: 'alice@gatehouse.example' })
    expect([odd.status, pointers(odd)]).toEqual([400, ['/username']])
    const taken = await changed('PATCH', `/users/${id}`, { username: 'ALICE' })
    expect(taken.status).toBe(409)
  })

  test('a condition on an attribute that is not for conditions is not saved', async () => {
    const page = `/applications/${demo.web.client_id}/grants`
    const grants = [{ pattern: 'orders:read', condition: 'has(user.motto) && user["level"] > 2.0' }]
    const refused = await changed('PUT', page, { grants })
    expect([refused.status, pointers(refused)]).toEqual([400, ['/grants/0/condition']])
    const odd = await call('POST', '/conditions/check', { condition: 'auth.age <' })
    expect(odd.status).toBe(200)
  })

  test('an attribute that a stored condition reads cannot be hidden from conditions', async () => {
    const { attributes } = (await call('GET', ALICE)).json
    const ranked = { attributes: { ...attributes, rank: 3 } }
    expect((await changed('PATCH', ALICE, ranked)).status).toBe(200)
    const page = `/applications/${demo.web.client_id}/grants`
    const before = (await call('GET', page)).json.grants
    const grants = [{ pattern: 'orders:read', condition: 'user.rank == 3.0' }]
    expect((await changed('PUT', page, { grants })).status).toBe(200)
    const asked = { client: demo.web.client_id, user: 'alice', scope: 'orders:read' }
    const decided = async () => (await call('POST', '/scopes/decide', asked)).json.decisions[0].code
    expect(await decided()).toBeUndefined()
    const hidden = attribute('rank', 'number', { inConditions: false })
    const refused = await define([...ATTRIBUTES, hidden])
    expect([refused.status, pointers(refused)]).toEqual([400, ['/userAttributes/3/inConditions']])
    expect(await decided()).toBeUndefined()
    const kept = before.map(({ id: _, ...grant }: { id: string }) => grant)
    await changed('PUT', page, { grants: kept })
    expect((await define([...ATTRIBUTES, hidden])).status).toBe(200)
    expect((await define(ATTRIBUTES)).status).toBe(200)
  })
})
