import assert from 'node:assert/strict'
import { exportJWK, generateKeyPair, type JSONWebKeySet, SignJWT } from 'jose'
import {
  authorize,
  type Fields,
  type Run,
  request,
  type Tokens,
  verifyIdToken,
} from './relying-party'

/** A client that registers itself and authenticates with private_key_jwt. */

export const CALLBACK = 'https://rp.example/callback'
const ASSERTION = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

type Registered = { client_id: string; [member: string]: unknown }
export type Dynamic = {
  run: Run
  client: Registered
  keys: Keys
}

/** A key of the client, which it can change. */
export type Keys = { kid: string; private: CryptoKey; jwks: JSONWebKeySet }

export async function newKeys(kid: string): Promise<Keys> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' }
  return { kid, private: privateKey, jwks: { keys: [jwk] } }
}

export async function send(run: Run, metadata: object): Promise<Response> {
  return fetch(run.metadata.registration_endpoint ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(metadata),
  })
}

export async function register(run: Run, more: object = {}, given?: Keys): Promise<Dynamic> {
  const keys = given ?? (await newKeys('rp'))
  const response = await send(run, {
    redirect_uris: [CALLBACK],
    client_name: 'Conformance',
    application_type: 'web',
    token_endpoint_auth_method: 'private_key_jwt',
    grant_types: ['authorization_code'],
    ...('jwks_uri' in more ? {} : { jwks: keys.jwks }),
    ...more,
  })
  const client = (await response.json()) as Registered
  assert.equal(response.status, 201, JSON.stringify(client))
  assert.ok(client.client_id && client.registration_access_token)
  return { run, client, keys }
}

/** A client assertion. */
function assertionOf({ run, client, keys }: Dynamic, aud = run.subject.issuer): Promise<string> {
  return new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'RS256', kid: keys.kid })
    .setIssuer(client.client_id)
    .setSubject(client.client_id)
    .setAudience(aud)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(keys.private)
}

export const asking = ({ run, client }: Dynamic, more: Fields = {}) =>
  request(run, { client_id: client.client_id, redirect_uri: CALLBACK, ...more })

async function tokenWith(dynamic: Dynamic, fields: Fields, aud?: string): Promise<Response> {
  return fetch(dynamic.run.metadata.token_endpoint, {
    method: 'POST',
    body: new URLSearchParams({
      ...fields,
      client_assertion_type: ASSERTION,
      client_assertion: await assertionOf(dynamic, aud),
    }),
  })
}

export async function signIn(dynamic: Dynamic, more: Fields = {}, aud?: string) {
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

export const WITH_REFRESH = { grant_types: ['authorization_code', 'refresh_token'] }
export const OFFLINE = { scope: 'openid offline_access', prompt: 'consent' }

export async function refreshed(dynamic: Dynamic, { refresh_token = '' }: Tokens): Promise<Tokens> {
  const response = await tokenWith(dynamic, { grant_type: 'refresh_token', refresh_token })
  const renewed = (await response.json()) as Tokens
  assert.equal(response.status, 200, JSON.stringify(renewed))
  return renewed
}
