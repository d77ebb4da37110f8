import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRemoteJWKSet, decodeJwt, jwtVerify, SignJWT } from 'jose'
import type { Page } from '../support/old-browser'
import type { Module } from './basic'
import { authorize, type Fields, type Run, request, signIn } from './relying-party'

/** The Config, RP-Initiated Logout and Back-Channel Logout plans. */

export const configModules: Record<string, Module> = {
  'oidcc-discovery-endpoint-verification': async ({ subject, metadata }) => {
    const response = await fetch(`${subject.issuer}/.well-known/openid-configuration`)
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    const found: Record<string, unknown> = metadata
    assert.equal(found.issuer, subject.issuer)
    for (const name of [
      'authorization_endpoint',
      'token_endpoint',
      'userinfo_endpoint',
      'jwks_uri',
    ]) {
      // https everywhere is the operator's part: on loopback the issuer itself says http.
      assert.ok(String(found[name]).startsWith(new URL(subject.issuer).origin), name)
    }
    assert.ok(list(found.response_types_supported).includes('code'))
    assert.ok(
      list(found.subject_types_supported).every((type) => ['public', 'pairwise'].includes(type)),
    )
    assert.ok(list(found.id_token_signing_alg_values_supported).includes('RS256'))
    assert.ok(list(found.scopes_supported).includes('openid'))
    assert.ok(list(found.code_challenge_methods_supported ?? []))
    for (const name of [
      'request_parameter_supported',
      'request_uri_parameter_supported',
      'claims_parameter_supported',
    ]) {
      assert.equal(typeof (found[name] ?? false), 'boolean', name)
    }
    await assertGoodKeys(metadata.jwks_uri)
  },
}

async function assertGoodKeys(uri: string): Promise<void> {
  const { keys } = (await (await fetch(uri)).json()) as { keys: Fields[] }
  assert.ok(keys.length > 0)
  assert.equal(new Set(keys.map(({ kid }) => kid)).size, keys.length)
  for (const key of keys) assert.ok(!['d', 'p', 'q', 'k'].some((member) => member in key))
}

function list(value: unknown): string[] {
  assert.ok(Array.isArray(value))
  return value
}

const LOGGED_OUT = [
  'login_required',
  'interaction_required',
  'account_selection_required',
  'consent_required',
]

/** Goes to the end-session endpoint and presses the button, if there is one. */
async function logOut(run: Run, fields: Fields): Promise<Page> {
  const page = await run.browser.open(
    `${run.metadata.end_session_endpoint}?${new URLSearchParams(fields)}`,
  )
  const asks = page.status < 400 && /<form/.test(page.html) && !/type="password"/.test(page.html)
  const stays = page.url.startsWith(new URL(run.subject.issuer).origin)
  return asks && stays ? run.browser.submit(page, { logout: 'yes' }) : page
}

async function assertLoggedOut(run: Run): Promise<void> {
  const { params } = await authorize(run, request(run, { prompt: 'none' }))
  assert.ok(LOGGED_OUT.includes(params?.error ?? ''), `still signed in: ${JSON.stringify(params)}`)
}

/** Nobody is sent anywhere outside the provider. */
async function assertNoRedirect(run: Run, fields: Fields): Promise<void> {
  const url = `${run.metadata.end_session_endpoint}?${new URLSearchParams(fields)}`
  const page = await run.browser.open(url)
  assert.ok(page.url.startsWith(new URL(run.subject.issuer).origin), page.url)
}

export const logoutModules: Record<string, Module> = {
  'oidcc-rp-initiated-logout-discovery-endpoint-verification': async ({ metadata }) => {
    assert.ok(URL.canParse(metadata.end_session_endpoint))
  },
  'oidcc-rp-initiated-logout': async (run) => {
    const { tokens } = await signIn(run)
    const uri = run.subject.postLogoutRedirectUri
    const state = 'x'.repeat(128)
    const page = await logOut(run, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: uri,
      state,
    })
    assert.equal(page.url, `${uri}?state=${state}`)
    await assertLoggedOut(run)
  },
  'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri': async (run) => {
    const { tokens } = await signIn(run)
    const post_logout_redirect_uri = `${run.subject.postLogoutRedirectUri}/wrong`
    await assertNoRedirect(run, { id_token_hint: tokens.id_token, post_logout_redirect_uri })
  },
  'oidcc-rp-initiated-logout-modified-id-token-hint': async (run) => {
    const { tokens } = await signIn(run)
    const [, payload] = tokens.id_token.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const post_logout_redirect_uri = run.subject.postLogoutRedirectUri
    await assertNoRedirect(run, { id_token_hint: `${none}.${payload}.`, post_logout_redirect_uri })
  },
  'oidcc-rp-initiated-logout-bad-id-token-hint': async (run) => {
    const { claims } = await signIn(run)
    const secret = Buffer.from(run.subject.client.client_secret ?? '')
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
    const post_logout_redirect_uri = run.subject.postLogoutRedirectUri
    await assertNoRedirect(run, { id_token_hint: forged, post_logout_redirect_uri })
  },
  'oidcc-rp-initiated-logout-no-id-token-hint': async (run) => {
    await signIn(run)
    await assertNoRedirect(run, { post_logout_redirect_uri: run.subject.postLogoutRedirectUri })
  },
  'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri': async (run) => {
    const { tokens } = await signIn(run)
    const post_logout_redirect_uri = `${run.subject.postLogoutRedirectUri}?foo=bar`
    await assertNoRedirect(run, { id_token_hint: tokens.id_token, post_logout_redirect_uri })
  },
  'oidcc-rp-initiated-logout-no-params': async (run) => {
    await signIn(run)
    await logOut(run, {})
    await assertLoggedOut(run)
  },
  'oidcc-rp-initiated-logout-no-post-logout-redirect-uri': async (run) => {
    const { tokens } = await signIn(run)
    await logOut(run, { id_token_hint: tokens.id_token })
    await assertLoggedOut(run)
  },
  'oidcc-rp-initiated-logout-no-state': async (run) => {
    const { tokens } = await signIn(run)
    const uri = run.subject.postLogoutRedirectUri
    const page = await logOut(run, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: uri,
    })
    assert.equal(page.url, uri)
  },
  'oidcc-rp-initiated-logout-only-state': async (run) => {
    await signIn(run)
    await logOut(run, { state: 'only' })
    await assertLoggedOut(run)
  },
}

/** Where the provider was told to deliver logout tokens; other modules' logouts arrive here too. */
export type LogoutReceiver = {
  tokenFor(sid: unknown): Promise<string>
  /** Answers a path with JSON from now on; its address. */
  serve(path: string, answer: () => unknown): string
  close(): void
}

const DELIVERED_WITHIN_MS = 20_000

export async function listenForLogout(port: number): Promise<LogoutReceiver> {
  const tokens: string[] = []
  const served = new Map<string, () => unknown>()
  const server = createServer(async (incoming, answer) => {
    const known = served.get(incoming.url ?? '')
    if (known) {
      answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(known()))
      return
    }
    let body = ''
    for await (const chunk of incoming) body += chunk
    answer.writeHead(200, { 'cache-control': 'no-store' }).end()
    tokens.push(new URLSearchParams(body).get('logout_token') ?? '')
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return {
    async tokenFor(sid) {
      for (let waited = 0; waited < DELIVERED_WITHIN_MS; waited += 100) {
        const token = tokens.find((one) => decodeJwt(one).sid === sid)
        if (token) return token
        await sleep(100)
      }
      throw new Error('no logout token was delivered')
    },
    serve(path, answer) {
      served.set(path, answer)
      return `http://localhost:${port}${path}`
    },
    close: () => server.close(),
  }
}

const BACKCHANNEL_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

export const backchannelModules = (receiver: LogoutReceiver): Record<string, Module> => ({
  'oidcc-backchannel-logout-discovery-endpoint-verification': async ({ metadata }) => {
    const found: Record<string, unknown> = metadata
    assert.equal(found.backchannel_logout_supported, true)
    assert.equal(found.backchannel_logout_session_supported, true)
    assert.ok(URL.canParse(metadata.end_session_endpoint))
  },
  'oidcc-backchannel-rp-initiated-logout': async (run) => {
    const { tokens, claims } = await signIn(run)
    const uri = run.subject.postLogoutRedirectUri
    const page = await logOut(run, {
      id_token_hint: tokens.id_token,
      post_logout_redirect_uri: uri,
      state: 's',
    })
    assert.equal(page.url, `${uri}?state=s`)
    const keys = createRemoteJWKSet(new URL(run.metadata.jwks_uri))
    const { payload } = await jwtVerify(await receiver.tokenFor(claims.sid), keys, {
      issuer: run.subject.issuer,
      audience: run.subject.client.client_id,
    })
    assert.deepEqual(payload.events, { [BACKCHANNEL_EVENT]: {} })
    assert.ok(payload.jti && payload.iat)
    assert.equal(payload.nonce, undefined)
    assert.equal(payload.sub ?? claims.sub, claims.sub)
    assert.equal(payload.sid ?? claims.sid, claims.sid)
    await assertLoggedOut(run)
  },
})
