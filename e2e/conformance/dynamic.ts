import assert from 'node:assert/strict'
import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Module } from './basic'
import {
  authorize,
  type Fields,
  type Run,
  request,
  type Tokens,
  verifyIdToken,
} from './relying-party'

/**
 * oidcc-dynamic-certification-test-plan: the modules that apply to the response type `code`. Every
 * client registers itself and authenticates with private_key_jwt.
 */

const CALLBACK = 'https://rp.example/callback'
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type Registered = { client_id: string; [member: string]: unknown }
type Dynamic = {
  run: Run
  client: Registered
  /** A client assertion. */
  assertion(aud?: string): Promise<string>
}

async function send(run: Run, metadata: object): Promise<Response> {
  return fetch(run.metadata.registration_endpoint ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
}

async function register(run: Run, more: object = {}): Promise<Dynamic> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'rp', alg: 'RS256', use: 'sig' }] }
  const response = await send(run, {
    ...{ redirect_uris: [CALLBACK], client_name: 'Conformance', application_type: 'web' },
    ...{ token_endpoint_auth_method: 'private_key_jwt', grant_types: ['authorization_code'] },
    ...('jwks_uri' in more ? {} : { jwks }),
    ...more,
  })
  const client = (await response.json()) as Registered
  assert.equal(response.status, 201, JSON.stringify(client))
  assert.ok(client.client_id && client.registration_access_token)
  const assertion = (aud = run.subject.issuer) =>
    new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'RS256', kid: 'rp' })
      .setIssuer(client.client_id)
      .setSubject(client.client_id)
      .setAudience(aud)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey)
  return { run, client, assertion }
}

const asking = ({ run, client }: Dynamic, more: Fields = {}) =>
  request(run, { client_id: client.client_id, redirect_uri: CALLBACK, ...more })

async function tokenWith(dynamic: Dynamic, fields: Fields, aud?: string): Promise<Response> {
  return fetch(dynamic.run.metadata.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      ...fields,
      client_assertion_type: ASSERTION,
      client_assertion: await dynamic.assertion(aud),
    }),
  })
}

async function signIn(dynamic: Dynamic, more: Fields = {}, aud?: string) {
  const { run, client } = dynamic
  const fields = asking(dynamic, more)
  const { params, page } = await authorize(run, fields)
  assert.ok(params?.code, `no code but ${JSON.stringify(params)} at ${page.url}`)
  const redirect_uri = fields.redirect_uri ?? ''
  const exchanged = { grant_type: 'authorization_code', code: params.code, redirect_uri }
  const response = await tokenWith(dynamic, exchanged, aud)
  const tokens = (await response.json()) as Tokens
  assert.equal(response.status, 200, JSON.stringify(tokens))
  const { redirect_uri: _uri, ...known } = { ...run.subject.client, client_id: client.client_id }
  const subject = { ...run.subject, client: { ...known, redirect_uri } }
  const claims = await verifyIdToken({ ...run, subject }, tokens.id_token)
  assert.equal(claims.nonce, fields.nonce)
  return { tokens, claims }
}

/** Only where clients can register themselves. */
const withRegistration =
  (module: (run: Run) => Promise<void>): Module =>
  async (run) => {
    if (!run.metadata.registration_endpoint) return 'not applicable'
    await module(run)
    return undefined
  }

const stays = async (dynamic: Dynamic, redirect_uri: string) => {
  const page = await dynamic.run.browser.open(
    `${dynamic.run.metadata.authorization_endpoint}?${new URLSearchParams(asking(dynamic, { redirect_uri }))}`,
  )
  assert.ok(page.url.startsWith(new URL(dynamic.run.subject.issuer).origin), page.url)
  assert.ok(page.status >= 400)
}

const refused = async (run: Run, metadata: object, error: string) => {
  const response = await send(run, metadata)
  assert.deepEqual([response.status, (await response.json()).error], [400, error])
}

/** A page of the sign-in leads to the address. */
const shows = (member: string) => async (run: Run) => {
  const uri = `https://rp.example/${member}`
  const dynamic = await register(run, { [member]: uri })
  const { user } = run.subject
  const query = new URLSearchParams(asking(dynamic))
  let page = await run.browser.open(`${run.metadata.authorization_endpoint}?${query}`)
  for (let step = 0; step < 3 && !page.html.includes(uri); step += 1) {
    const name = /name="identifier"/.test(page.html) ? 'identifier' : 'login'
    const asksPassword = /type="password"/.test(page.html)
    const answers = { [name]: user.login, ...(asksPassword && { password: user.password }) }
    page = await run.browser.submit(page, answers)
  }
  assert.ok(page.html.includes(uri), `not shown at ${page.url}`)
}

const modules: Record<string, (run: Run) => Promise<void>> = {
  'oidcc-discovery-endpoint-verification': async ({ metadata, subject }) => {
    const { origin } = new URL(subject.issuer)
    assert.ok(metadata.registration_endpoint?.startsWith(origin))
  },
  'oidcc-server': async (run) => {
    await signIn(await register(run))
  },
  'oidcc-idtoken-rs256': async (run) => {
    const dynamic = await register(run, { id_token_signed_response_alg: 'RS256' })
    const { tokens } = await signIn(dynamic)
    const { alg, kid } = decodeProtectedHeader(tokens.id_token)
    assert.ok(alg === 'RS256' && kid)
  },
  // Refused: discovery does not list `none`.
  'oidcc-idtoken-unsigned': (run) =>
    refused(
      run,
      { redirect_uris: [CALLBACK], id_token_signed_response_alg: 'none' },
      'invalid_client_metadata',
    ),
  'oidcc-redirect-uri-query-OK': async (run) => {
    const redirect_uri = `${CALLBACK}?foo=bar`
    const dynamic = await register(run, { redirect_uris: [redirect_uri] })
    await signIn(dynamic, { redirect_uri })
  },
  'oidcc-redirect-uri-query-mismatch': async (run) => {
    const dynamic = await register(run, { redirect_uris: [`${CALLBACK}?foo=bar`] })
    await stays(dynamic, `${CALLBACK}?foo=baz`)
  },
  'oidcc-redirect-uri-query-added': async (run) => {
    await stays(await register(run), `${CALLBACK}?foo=bar`)
  },
  'oidcc-redirect-uri-regfrag': (run) =>
    refused(run, { redirect_uris: [`${CALLBACK}#fragment`] }, 'invalid_redirect_uri'),
  'oidcc-ensure-redirect-uri-in-authorization-request': async (run) => {
    await stays(await register(run), '')
  },
  'oidcc-registration-policy-uri': shows('policy_uri'),
  'oidcc-registration-tos-uri': shows('tos_uri'),
  'oidcc-registration-logo-uri': async (run) => {
    const logo_uri = 'https://rp.example/logo.png'
    const { client } = await register(run, { logo_uri })
    assert.equal(client.logo_uri, logo_uri)
  },
  'oidcc-registration-sector-bad': (run) =>
    refused(
      run,
      { redirect_uris: [CALLBACK], sector_identifier_uri: 'https://rp.example/sector' },
      'invalid_client_metadata',
    ),
  'oidcc-refresh-token': async (run) => {
    const dynamic = await register(run, { grant_types: ['authorization_code', 'refresh_token'] })
    const { tokens, claims } = await signIn(dynamic, {
      ...{ scope: 'openid offline_access', prompt: 'consent' },
    })
    assert.ok(tokens.refresh_token)
    const fields = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
    const response = await tokenWith(dynamic, fields)
    const renewed = (await response.json()) as Tokens
    assert.equal(response.status, 200, JSON.stringify(renewed))
    assert.notEqual(renewed.access_token, tokens.access_token)
    assert.ok(claims.sub)
  },
  'oidcc-ensure-client-assertion-with-iss-aud-succeeds': async (run) => {
    await signIn(await register(run), {}, run.subject.issuer)
  },
}

export const dynamicModules: Record<string, Module> = Object.fromEntries(
  Object.entries(modules).map(([name, module]) => [name, withRegistration(module)]),
)
