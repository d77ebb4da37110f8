import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import {
  call,
  changed,
  created,
  grant,
  portal,
  read,
  startApi,
  unique,
} from '../support/api-objects'
import { askToken, type Fields } from '../support/ask'
import { KINDS } from '../support/databases'
import { authorizeUrl, getCode, pkcePair, received } from '../support/flow'
import { openSecond } from '../support/in-process'
import { OldBrowser } from '../support/old-browser'

/**
 * The contract's request (client, scope, redirect URI, state, response type) and nothing else, from
 * a web application that was just made; then what it learns once the application uses PKCE.
 */

const CALLBACK = 'https://shop.example/callback'
const SCOPE = 'openid orders:read orders:refund'
const REFUSED = 'code challenge required: the application has used PKCE before'
const LEARNED = 'application.pkce_learned'

describe.each(KINDS)('requests without PKCE on %s', (kind) => {
  startApi(kind)

  type App = { id: string; secret: string; alice: OldBrowser; request: Fields }

  /** A new web application, to which Alice has agreed. */
  async function newApplication(more: object = {}): Promise<App> {
    const fields = { kind: 'web', name: unique('Shop'), redirectUris: [CALLBACK], ...more }
    const { id, secret } = await created('/applications', fields)
    expect((await grant(id, ['orders:*'])).status).toBe(200)
    const request = {
      client_id: id,
      scope: SCOPE,
      redirect_uri: CALLBACK,
      state: 'chosen by the caller',
      response_type: 'code',
    }
    const alice = new OldBrowser(portal.origin)
    const [person] = portal.demo().users
    if (!person) throw new Error('no users')
    const { challenge } = pkcePair()
    const consent = await alice.signIn(await alice.open(urlOf({ request }, challenge)), person)
    expect(received(await alice.submit(consent, { scope: ['orders:read'] }))).toHaveProperty('code')
    return { id, secret, alice, request }
  }

  const S256 = { code_challenge_method: 'S256' }
  const urlOf = ({ request }: Pick<App, 'request'>, challenge?: string) =>
    authorizeUrl(challenge ? { ...request, ...S256, code_challenge: challenge } : request)

  const exchangeAt = async ({ origin }: { origin: string }, app: App, more: Fields) => {
    const fields = { grant_type: 'authorization_code', redirect_uri: CALLBACK }
    const by = { client_id: app.id, client_secret: app.secret }
    const { status, body } = await askToken(origin, { ...fields, ...by, ...more })
    return { status, ...JSON.parse(body) }
  }
  const exchanged = (app: App, more: Fields) => exchangeAt(portal, app, more)

  async function codeWithPkce({ alice, request }: App) {
    const { verifier, challenge } = pkcePair()
    const code = await getCode(alice, { ...request, ...S256, code_challenge: challenge })
    return { code, code_verifier: verifier }
  }
  const codeOf = ({ alice, request }: App) => getCode(alice, request)
  const answerTo = async ({ alice, request }: App) =>
    received(await alice.open(authorizeUrl(request)))

  const wire = async ({ id }: App) => (await read(`/applications/${id}`)).json
  const timesLearned = async ({ id }: App) =>
    (await read(`/audit-events?targetId=${id}&event=${LEARNED}`)).json.data.length

  test('the whole flow of the contract, with no setting changed', async () => {
    const app = await newApplication()
    const { code = '', ...rest } = await answerTo(app)
    expect(rest).toEqual({ state: 'chosen by the caller', iss: portal.origin })
    const tokens = await exchanged(app, { code })
    expect(tokens).toMatchObject({
      status: 200,
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'openid orders:read',
      scope_rejected: 'orders:refund',
    })
    expect(decodeJwt(tokens.access_token)).toMatchObject({ client_id: app.id })
    expect(await exchanged(app, { code })).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(await wire(app)).toMatchObject({ pkce: 'learned', pkceLearned: false })
  })

  test('C12: once it has used PKCE, a request without it is refused, and says why', async () => {
    const app = await newApplication()
    const stripped = await codeOf(app)
    const version = (await read(`/applications/${app.id}`)).headers.etag
    expect((await exchanged(app, await codeWithPkce(app))).status).toBe(200)
    expect(await wire(app)).toMatchObject({ pkce: 'learned', pkceLearned: true })
    expect(await answerTo(app)).toEqual({
      error: 'invalid_request',
      error_description: REFUSED,
      state: 'chosen by the caller',
      iss: portal.origin,
    })
    const refused = await exchanged(app, { code: stripped })
    expect(refused).toMatchObject({ status: 400, error: 'invalid_grant' })
    await portal.op.settled()
    const [late, first] = (await read(`/applications/${app.id}/refusals`)).json.data
    expect(late).toMatchObject({ reason: 'code_without_pkce' })
    expect(first).toMatchObject({ reason: 'pkce_learned', offer: { pkce: 'not_required' } })
    // An admin who had the page open loses nothing.
    const saved = { 'if-match': version ?? '' }
    const same = { pkce: 'learned', name: 'Renamed' }
    const after = await call('PATCH', `/applications/${app.id}`, same, saved)
    expect(after.status).toBe(200)
    expect(await wire(app)).toMatchObject({ pkceLearned: true, name: 'Renamed' })
  })

  test('an admin can let it go, and let it be learned anew', async () => {
    const app = await newApplication()
    expect((await exchanged(app, await codeWithPkce(app))).status).toBe(200)
    const set = (pkce: string) => changed('PATCH', `/applications/${app.id}`, { pkce })
    expect((await set('not_required')).json).toMatchObject({ pkceLearned: false })
    expect((await exchanged(app, { code: await codeOf(app) })).status).toBe(200)
    expect((await exchanged(app, await codeWithPkce(app))).status).toBe(200)
    expect((await exchanged(app, { code: await codeOf(app) })).status).toBe(200)
    expect((await set('learned')).json).toMatchObject({ pkceLearned: false })
    expect((await exchanged(app, await codeWithPkce(app))).status).toBe(200)
    expect((await answerTo(app)).error_description).toBe(REFUSED)
  })

  const usedIn = async ({ id }: App) => {
    await portal.op.settled()
    return (await read(`/applications/${id}/usage`)).json.signInUsed
  }

  test('those who manage it see what its last sign-in used', async () => {
    const app = await newApplication()
    expect(await usedIn(app)).toBeNull()
    expect((await exchanged(app, { code: await codeOf(app) })).status).toBe(200)
    expect(await usedIn(app)).toEqual({ pkce: false, nonce: false })
    const withNonce = { ...app, request: { ...app.request, nonce: 'once' } }
    expect((await exchanged(app, await codeWithPkce(withNonce))).status).toBe(200)
    expect(await usedIn(app)).toEqual({ pkce: true, nonce: true })
    const wrong = { code: 'x', code_verifier: pkcePair().verifier }
    expect((await exchanged(app, wrong)).status).toBe(400)
    expect(await usedIn(app)).toEqual({ pkce: true, nonce: true })
  })

  test('C15: a configuration file that was exported before, or says the same, takes nothing away', async () => {
    const app = await newApplication()
    const stripped = await codeOf(app)
    const apply = (more: object = {}) => {
      const one = { id: app.id, kind: 'web', pkce: 'learned', redirectUris: [CALLBACK], ...more }
      return call('POST', '/configuration', { version: 1, applications: [one] })
    }
    expect((await apply()).json.changes).toEqual([])
    expect((await exchanged(app, await codeWithPkce(app))).status).toBe(200)
    expect((await apply()).json.changes).toEqual([])
    expect((await apply({ name: unique('Renamed') })).json.changes).toHaveLength(1)
    expect(await wire(app)).toMatchObject({ pkce: 'learned', pkceLearned: true })
    expect((await answerTo(app)).error_description).toBe(REFUSED)
    const refused = await exchanged(app, { code: stripped })
    expect(refused).toMatchObject({ status: 400, error: 'invalid_grant' })
    // Only a file that says so lets it go.
    expect((await apply({ pkce: 'not_required' })).json.changes).toHaveLength(1)
    expect((await answerTo(app)).code).toBeDefined()
  })

  test('C13: what a stranger sends teaches nothing', async () => {
    const app = await newApplication()
    const { code, code_verifier } = await codeWithPkce(app)
    const wrong = { code, code_verifier, client_secret: 'ghcs_wrong' }
    expect(await exchanged(app, wrong)).toMatchObject({ status: 401 })
    const unproven = { code, code_verifier: pkcePair().verifier }
    expect(await exchanged(app, unproven)).toMatchObject({ error: 'invalid_grant' })
    const elsewhere = { code, code_verifier, redirect_uri: 'https://evil.example/' }
    expect(await exchanged(app, elsewhere)).toMatchObject({ error: 'invalid_grant' })
    expect(await wire(app)).toMatchObject({ pkceLearned: false })
    expect(await exchanged(app, { code: await codeOf(app) })).toMatchObject({ status: 200 })
  })

  test('C14: two processes learn it in the same instant: once, and both issue tokens', async () => {
    const app = await newApplication()
    const other = await openSecond(portal)
    try {
      const [one, two] = [await codeWithPkce(app), await codeWithPkce(app)]
      const answers = await Promise.all([exchangeAt(portal, app, one), exchangeAt(other, app, two)])
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(await timesLearned(app)).toBe(1)
      await other.op.latestSnapshot()
      const there = new OldBrowser(other.origin)
      expect(received(await there.open(urlOf(app))).error_description).toBe(REFUSED)
    } finally {
      await other.stop()
    }
  })

  test('C12: a setting of the portal requires it of every application', async () => {
    const app = await newApplication({ pkce: 'not_required' })
    const code = await codeOf(app)
    const set = (requirePkce: boolean) =>
      changed('PATCH', '/settings', { security: { requirePkce } })
    expect((await set(true)).status).toBe(200)
    try {
      expect((await answerTo(app)).error_description).toBe(
        'code challenge required from every application',
      )
      expect(await exchanged(app, { code })).toMatchObject({ error: 'invalid_grant' })
      expect((await exchanged(app, await codeWithPkce(app))).status).toBe(200)
    } finally {
      expect((await set(false)).status).toBe(200)
    }
  })

  test('C10: a client without a secret needs it whatever is set', async () => {
    const app = await newApplication()
    const made = await changed('PATCH', `/applications/${app.id}`, { authMethods: ['none'] })
    expect(made.json).toMatchObject({ pkce: 'required' })
    const weaker = await changed('PATCH', `/applications/${app.id}`, { pkce: 'learned' })
    expect(weaker).toMatchObject({ status: 400, json: { errors: [{ pointer: '/pkce' }] } })
    expect((await answerTo(app)).error_description).toBe('code challenge required')
  })
})
