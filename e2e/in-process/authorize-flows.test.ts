import { decodeJwt } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, type Fields } from '../support/ask'
import {
  alice,
  aliceLogin,
  answerTo,
  bobLogin,
  demo,
  json,
  ORDERS,
  op,
  portal,
  STOCK,
  startFlows,
  tokensFor,
  web,
  without,
} from '../support/authorize-flows'
import {
  aliceAtWeb,
  authorizeUrl,
  exchange,
  getCode,
  pkcePair,
  received,
  userinfo,
} from '../support/flow'
import { OldBrowser } from '../support/old-browser'

startFlows()

describe('A18: no client has a person’s id', () => {
  test('what is made has a prefix of its own, and the token of a machine is nobody’s', async () => {
    const { client_id, access_key } = demo.machine
    expect([client_id, access_key].map((id) => id.split('_')[0])).toEqual(['app', 'ak'])
    const users = await op.db.user.findMany({ select: { id: true } })
    expect(users.map(({ id }) => id.split('_')[0])).toEqual(users.map(() => 'usr'))
  })

  test('a row that was inserted all the same is not known', async () => {
    const { id: _id, ...machine } = await op.db.application.findUniqueOrThrow({
      where: { id: demo.machine.client_id },
      select: { id: true, kind: true, spaceId: true },
    })
    const empty = { redirectUris: [], postLogoutRedirectUris: [], origins: [], branding: {} }
    await op.changePolicy(async (tx) => {
      await tx.application.create({
        data: {
          ...machine,
          ...empty,
          id: 'usr_demo_alice',
          name: 'Collision',
          grantTypes: ['client_credentials'],
          authMethods: ['client_secret_post'],
          requiredScopes: [],
          defaultScopes: [],
          createdAt: new Date(),
          updatedAt: new Date(),
        },
      })
      await tx.applicationSecret.create({
        data: {
          id: 'sec_collision',
          applicationId: 'usr_demo_alice',
          name: 'one',
          secretHash: op.hashSecret('the-secret'),
          hint: '',
          createdAt: new Date(),
        },
      })
    })
    const fields = { client_id: 'usr_demo_alice', client_secret: 'the-secret' }
    const answer = await exchange(portal, 'x', { grant_type: 'client_credentials', ...fields })
    expect([answer.status, json(answer).error]).toEqual([401, 'invalid_client'])
    await op.changePolicy((tx) => tx.application.delete({ where: { id: 'usr_demo_alice' } }))
  })
})

describe('B5: scope', () => {
  // Missing: the application's default scopes; the demo's web app has none.
  test('missing, without a default, is invalid_scope', async () => {
    expect(await answerTo(without('scope'))).toMatchObject({
      error: 'invalid_scope',
      state: 'the-state',
    })
  })

  test('missing, with a default, is the default', async () => {
    const defaults = (defaultScopes: string[]) =>
      op.changePolicy((tx) =>
        tx.application.update({ where: { id: demo.web.client_id }, data: { defaultScopes } }),
      )
    await defaults(['openid'])
    const { code = '' } = await answerTo(without('scope'))
    expect(json(await exchange(portal, code)).scope).toBe('openid')
    await defaults([])
  })

  test('without openid is plain OAuth: no id_token, no identity', async () => {
    const tokens = await tokensFor({ scope: 'orders:read profile', nonce: 'n' })
    expect(Object.keys(tokens).sort()).toEqual([
      'access_token',
      'expires_in',
      'scope',
      'token_type',
    ])
    expect((await userinfo(portal.origin, tokens.access_token)).status).toBe(403)
  })
})

test('B10: a nonce of 384 characters comes back exactly; over 1024 is refused', async () => {
  const nonce = `ü"\\ ${'n'.repeat(380)}`
  expect(nonce).toHaveLength(384)
  expect(decodeJwt((await tokensFor({ nonce })).id_token).nonce).toBe(nonce)
  expect(await answerTo({ nonce: 'n'.repeat(1025) })).toMatchObject({ error: 'invalid_request' })
})

test('B13: prompt=none, several accounts and no hint: account_selection_required', async () => {
  const browser = await aliceAtWeb(portal)
  const first = json(await exchange(portal, await getCode(browser, web({ prompt: 'none' }))))
  expect(decodeJwt(first.id_token).sub).toBe('usr_demo_alice')
  await browser.signIn(await browser.open('/login'), bobLogin())
  const silent = { prompt: 'none', scope: 'openid' }
  expect(await answerTo(silent, browser)).toMatchObject({ error: 'account_selection_required' })
  // A hint says which one, whichever of them acts at the moment.
  const hinted = { ...silent, id_token_hint: first.id_token }
  const { code = '' } = await answerTo(hinted, browser)
  expect(decodeJwt(json(await exchange(portal, code)).id_token).sub).toBe('usr_demo_alice')
  // Alice's application signs her out; Bob stays, and is the only one.
  await browser.open(`/oidc/session/end?id_token_hint=${first.id_token}`)
  expect(await answerTo(hinted, browser)).toMatchObject({ error: 'login_required' })
  expect(await answerTo(silent, browser)).toMatchObject({ error: 'consent_required' })
})

test('B29: claims that no granted scope gives are not returned, and are no error', async () => {
  const names = [
    'email',
    'email_verified',
    'phone_number',
    'address',
    'passwordHash',
    'adminRole',
    'name',
  ]
  const claims = JSON.stringify({
    userinfo: Object.fromEntries(names.map((name) => [name, { essential: true }])),
  })
  const { access_token, id_token } = await tokensFor({ scope: 'openid', claims })
  // Alice agreed to `profile` before: see lib/oidc/named-claims.ts.
  expect(json(await userinfo(portal.origin, access_token))).toEqual({
    sub: 'usr_demo_alice',
    name: 'Alice Clerk',
  })
  for (const name of names) expect(decodeJwt(id_token)).not.toHaveProperty(name)
})

describe('B33: request objects are not offered', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const unsigned = `${encode({ alg: 'none' })}.${encode({ client_id: 'app_demo_web' })}.`

  test.each([
    ['unsigned', unsigned],
    ['with a wrong signature', `${encode({ alg: 'RS256' })}.${encode({ exp: 1 })}.AAAA`],
    ['with a nested request_uri', `${encode({ alg: 'none' })}.${encode({ request_uri: 'x' })}.`],
  ])('%s', async (_what, request) => {
    expect(await answerTo({ request })).toMatchObject({ error: 'request_not_supported' })
  })

  test('the refusal is sent as the object asks: by a form, and with its state (OIDC Core §6.1)', async () => {
    const own = { state: 'inside', response_mode: 'form_post' }
    const refused = async (object: object, header: object = { alg: 'none' }) => {
      const request = `${encode(header)}.${encode(object)}.`
      return ask(portal.origin, { path: authorizeUrl(web({ request })) })
    }
    for (const header of [{ alg: 'none' }, { alg: 'RS256' }]) {
      const { status, body } = await refused({ client_id: 'app_demo_web', ...own }, header)
      expect(status).toBe(200)
      expect(body).toContain('name="error" value="request_not_supported"')
      expect(body).toContain('name="state" value="inside"')
      expect(body).toContain(`<form method="post" action="${web().redirect_uri}">`)
    }
    for (const object of [
      { ...own, client_id: 'app_demo_other' },
      { ...own, iss: 'app_demo_other' },
      { ...own, redirect_uri: 'https://evil.example/' },
    ]) {
      const { status, headers } = await refused(object)
      expect([status, headers.location]).toEqual([303, expect.stringContaining('state=the-state')])
    }
  })

  test('an object changes nothing above the trust line', async () => {
    const own = { client_id: 'app_demo_web', redirect_uri: web().redirect_uri }
    const request = `${encode({ alg: 'none' })}.${encode({ ...own, response_mode: 'form_post' })}.`
    const fields = { ...web({ request }), redirect_uri: 'https://evil.example/' }
    const { status, body } = await ask(portal.origin, { path: authorizeUrl(fields) })
    expect([status, body]).toEqual([400, expect.not.stringContaining('<form method="post"')])
  })

  test('and discovery says so', async () => {
    const document = json(await ask(portal.origin, { path: '/.well-known/openid-configuration' }))
    expect(document).toMatchObject({
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    })
    expect(document).not.toHaveProperty('request_object_signing_alg_values_supported')
  })
})

describe('B35: resource', () => {
  beforeAll(async () => {
    const stamps = { createdAt: new Date(), updatedAt: new Date() }
    await op.changePolicy(async (tx) => {
      const api = { spaceId: 'spc_demo', prefix: 'stock', name: 'Stock', tokenSeconds: 600 }
      await tx.api.create({ data: { id: 'api_stock', audience: STOCK, ...api, ...stamps } })
      const item = { id: 'itm_stock', apiId: 'api_stock', key: 'stock:read', descriptions: {} }
      await tx.permissionItem.create({ data: { ...item, ...stamps } })
      const grant = { id: 'grn_stock', applicationId: demo.web.client_id, pattern: 'stock:*' }
      await tx.grant.create({ data: { ...grant, ...stamps } })
      const consent = { userId: 'usr_demo_alice', applicationId: demo.web.client_id }
      await tx.consent.create({
        data: { ...consent, scope: 'stock:read', granted: true, decidedAt: new Date() },
      })
    })
  })

  const both = () => {
    const fields = new URLSearchParams(web({ scope: 'orders:read stock:read offline_access' }))
    fields.append('resource', ORDERS)
    fields.append('resource', STOCK)
    return fields.toString()
  }
  const audienceOf = (tokens: { access_token: string }) => decodeJwt(tokens.access_token).aud

  test('repeated: the audience is what was granted of both', async () => {
    const { code = '' } = await answerTo(both())
    const tokens = json(await exchange(portal, code))
    expect(audienceOf(tokens)).toEqual([ORDERS, STOCK])
    expect(tokens.scope).toBe('orders:read stock:read offline_access')
  })

  test('the token endpoint narrows, for that token alone', async () => {
    const { code = '' } = await answerTo(both())
    const tokens = json(await exchange(portal, code, { resource: STOCK }))
    expect(audienceOf(tokens)).toBe(STOCK)
    expect(tokens.scope_rejected).toBe('orders:read')
  })

  test('the token endpoint never widens; the code stays good', async () => {
    const { code = '' } = await answerTo({ scope: 'orders:read stock:read', resource: ORDERS })
    const wider = await exchange(portal, code, { resource: STOCK })
    expect([wider.status, json(wider).error]).toEqual([400, 'invalid_target'])
    const tokens = json(await exchange(portal, code))
    expect([audienceOf(tokens), tokens.scope]).toEqual([ORDERS, 'orders:read'])
    expect(tokens.scope_rejected_reasons).toEqual([
      { scope: 'stock:read', code: 'resource_mismatch', next_action: 'none' },
    ])
  })
})

describe('B39: iss', () => {
  test.each<[string, Fields]>([
    ['a code', {}],
    ['prompt=none without consent', { prompt: 'none', scope: 'openid phone' }],
    ['an unsupported response_type', { response_type: 'token' }],
    ['an unknown resource', { resource: 'https://nobody.example' }],
    ['a malformed scope', { scope: '"' }],
    ['a request object', { request: 'x' }],
    ['an unknown response_mode', { response_mode: 'fragment' }],
  ])('is in the answer: %s', async (_what, more) => {
    const answer = await answerTo(more)
    expect(Object.keys(answer)).toContain(answer.code === undefined ? 'error' : 'code')
    expect([answer.iss, answer.state]).toEqual([portal.origin, 'the-state'])
  })

  test.each<[string, Fields, string]>([
    ['a code', {}, 'code'],
    ['an error', { prompt: 'none', scope: 'openid phone' }, 'error'],
  ])('is in a posted answer: %s', async (_what, more, name) => {
    const { html } = await alice.open(authorizeUrl(web({ response_mode: 'form_post', ...more })))
    expect(html).toContain(`name="${name}" value=`)
    expect(html).toContain(`name="iss" value="${portal.origin}"`)
  })

  test('is announced, and is the issuer of discovery', async () => {
    const document = json(await ask(portal.origin, { path: '/.well-known/openid-configuration' }))
    expect(document.authorization_response_iss_parameter_supported).toBe(true)
    expect(document.issuer).toBe(portal.origin)
  })
})

test('B40: two tabs, each with its own request, finished in the other order', async () => {
  const { verifier, challenge } = pkcePair()
  const spaFields = {
    client_id: demo.spa.client_id,
    redirect_uri: demo.spa.redirect_uris[0] ?? '',
    response_type: 'code',
    scope: 'openid',
    state: 'the-state-of-the-second',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const browser = new OldBrowser(portal.origin)
  const first = await browser.open(authorizeUrl(web({ scope: 'openid profile orders:read' })))
  const second = await browser.open(authorizeUrl(spaFields))
  const secondConsent = await browser.signIn(second, aliceLogin())
  const secondDone = secondConsent.url.includes('/consent')
    ? await browser.submit(secondConsent, {})
    : secondConsent
  const firstDone = await browser.signIn(first, aliceLogin())

  expect(secondDone.url.startsWith(spaFields.redirect_uri)).toBe(true)
  expect(received(secondDone).state).toBe('the-state-of-the-second')
  expect(firstDone.url.startsWith(demo.web.redirect_uris[0] ?? '')).toBe(true)
  expect(received(firstDone).state).toBe('the-state')

  const ofSecond = received(secondDone).code ?? ''
  expect(json(await exchange(portal, ofSecond)).error).toBe('invalid_grant')
  const asSpa = { client_id: demo.spa.client_id, client_secret: '', code_verifier: verifier }
  const redirect = { redirect_uri: spaFields.redirect_uri }
  expect(json(await exchange(portal, ofSecond, { ...asSpa, ...redirect })).scope).toBe('openid')
  const ofFirst = json(await exchange(portal, received(firstDone).code ?? ''))
  expect(ofFirst.scope).toBe('openid profile orders:read')
})
