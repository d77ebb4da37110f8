import assert from 'node:assert/strict'
import { createRemoteJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import type { Module } from './basic'
import {
  asking,
  CALLBACK,
  type Dynamic,
  newKeys,
  OFFLINE,
  refreshed,
  register,
  send,
  signIn,
  WITH_REFRESH,
} from './dynamic-client'
import type { LogoutReceiver } from './others'
import { authorize, type Run, userinfo } from './relying-party'

/**
 * oidcc-dynamic-certification-test-plan: the modules that apply to the response type `code`. Every
 * client registers itself and authenticates with private_key_jwt.
 */

/** Only where clients can register themselves. */
const withRegistration =
  (module: Module): Module =>
  async (run) => {
    if (!run.metadata.registration_endpoint) return 'not applicable: no registration_endpoint'
    return module(run)
  }

const stays = async (dynamic: Dynamic, redirect_uri: string) => {
  const page = await dynamic.run.browser.open(
    `${dynamic.run.metadata.authorization_endpoint}?${new URLSearchParams(asking(dynamic, { redirect_uri }))}`,
  )
  assert.ok(page.url.startsWith(new URL(dynamic.run.subject.issuer).origin), page.url)
  assert.ok(page.status >= 400)
}

const refused = async (run: Run, metadata: object, error: string): Promise<undefined> => {
  const response = await send(run, metadata)
  assert.deepEqual([response.status, (await response.json()).error], [400, error])
}

/** A page of the sign-in leads to the address. */
const shows =
  (member: string): Module =>
  async (run) => {
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

/** Parameters that a provider does not offer are refused by their own error, and never ignored. */
const refusesParameter =
  (name: 'request' | 'request_uri', value: string): Module =>
  async (run) => {
    const offered: Record<string, unknown> = run.metadata
    const supports = offered[`${name}_parameter_supported`]
    // OpenID Connect Discovery 1.0 §3: without a word, `request_uri` is offered.
    if (supports !== false && (supports || name === 'request_uri')) {
      return `not applicable: this suite does not try ${name} where it is offered`
    }
    const { params, page } = await authorize(run, asking(await register(run), { [name]: value }))
    assert.ok(params ? params.error === `${name}_not_supported` : page.status >= 400)
    return `not applicable: ${name}_parameter_supported is not true, and ${name} is refused`
  }

/** Where its keys are at an address: `change` puts another one there. */
async function registerAt(run: Run, receiver: LogoutReceiver, more: object = {}) {
  let keys = await newKeys('one')
  const jwks_uri = receiver.serve(`/jwks/${crypto.randomUUID()}`, () => keys.jwks)
  const dynamic = await register(run, { jwks_uri, ...more }, keys)
  const change = async (): Promise<Dynamic> => {
    keys = await newKeys('two')
    return { ...dynamic, keys }
  }
  return { dynamic, change }
}

const NO_ADDRESS = 'not applicable: nowhere for the keys of the client, see --backchannel-port'

/** With keys at an address of the client. */
const withAddress = (receiver: LogoutReceiver | null): Record<string, Module> => ({
  'oidcc-registration-jwks-uri': async (run) => {
    if (!receiver) return NO_ADDRESS
    const { dynamic } = await registerAt(run, receiver)
    await signIn(dynamic)
  },
  'oidcc-refresh-token-rp-key-rotation': async (run) => {
    if (!receiver) return NO_ADDRESS
    const { dynamic, change } = await registerAt(run, receiver, WITH_REFRESH)
    const { tokens } = await signIn(dynamic, OFFLINE)
    const renewed = await refreshed(await change(), tokens)
    assert.notEqual(renewed.access_token, tokens.access_token)
  },
})

async function publishedKids({ metadata }: Run): Promise<string[]> {
  const { keys } = (await (await fetch(metadata.jwks_uri)).json()) as JSONWebKeySet
  return keys.map(({ kid }) => kid ?? '')
}

const modules: Record<string, Module> = {
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
    const dynamic = await register(run, WITH_REFRESH)
    const { tokens, claims } = await signIn(dynamic, OFFLINE)
    const renewed = await refreshed(dynamic, tokens)
    assert.notEqual(renewed.access_token, tokens.access_token)
    assert.ok(claims.sub)
  },
  'oidcc-server-rotate-keys': async (run) => {
    const { rotateKeys } = run.subject
    if (!rotateKeys) return 'not applicable: nobody here can rotate the keys of the provider'
    const dynamic = await register(run)
    const before = await signIn(dynamic)
    const { kid: old = '' } = decodeProtectedHeader(before.tokens.id_token)
    await rotateKeys('RS256')
    const after = await signIn(dynamic)
    const { kid: fresh = '' } = decodeProtectedHeader(after.tokens.id_token)
    assert.notEqual(fresh, old, 'the same key signs')
    const kids = await publishedKids(run)
    assert.ok(kids.includes(fresh), 'the new key is not published')
    assert.ok(kids.includes(old), 'the old key is no longer published')
    const { issuer } = run.subject
    const keys = createRemoteJWKSet(new URL(run.metadata.jwks_uri))
    await jwtVerify(before.tokens.id_token, keys, { issuer, audience: dynamic.client.client_id })
  },
  'oidcc-registration-sector-uri': async ({ metadata }) => {
    const types: unknown = metadata.subject_types_supported
    if (!Array.isArray(types) || !types.includes('pairwise')) {
      return 'not applicable: subject_types_supported has no pairwise'
    }
    return 'not applicable: the suite has no https host for a sector'
  },
  'oidcc-userinfo-rs256': async (run) => {
    const algs: unknown = run.metadata.userinfo_signing_alg_values_supported
    const userinfo_signed_response_alg = 'RS256'
    if (!Array.isArray(algs) || !algs.includes('RS256')) {
      const metadata = { redirect_uris: [CALLBACK], userinfo_signed_response_alg }
      await refused(run, metadata, 'invalid_client_metadata')
      return 'not applicable: userinfo_signing_alg_values_supported has no RS256, and registration refuses it'
    }
    const dynamic = await register(run, { userinfo_signed_response_alg })
    const { tokens, claims } = await signIn(dynamic)
    const response = await userinfo(run, tokens.access_token)
    assert.match(response.headers.get('content-type') ?? '', /^application\/jwt/)
    const keys = createRemoteJWKSet(new URL(run.metadata.jwks_uri))
    const { payload } = await jwtVerify(await response.text(), keys, { algorithms: ['RS256'] })
    assert.equal(payload.sub, claims.sub)
  },
  'oidcc-request-uri-unsigned': refusesParameter('request_uri', 'https://rp.example/request.jwt'),
  'oidcc-request-uri-signed-rs256': refusesParameter(
    'request_uri',
    'https://rp.example/signed-request.jwt',
  ),
  'oidcc-ensure-request-object-with-redirect-uri': refusesParameter(
    'request',
    'eyJhbGciOiJub25lIn0.e30.',
  ),
  'oidcc-ensure-client-assertion-with-iss-aud-succeeds': async (run) => {
    await signIn(await register(run), {}, run.subject.issuer)
  },
}

/** oidcc-3rdparty-init-login-certification-test-plan: what registration says of the address. */
export const thirdPartyModules: Record<string, Module> = {
  'oidcc-3rd_party-init-login': withRegistration(async (run) => {
    const initiate_login_uri = 'https://rp.example/login'
    const { client } = await register(run, { initiate_login_uri })
    assert.equal(client.initiate_login_uri, initiate_login_uri)
    const token = String(client.registration_access_token)
    const response = await fetch(String(client.registration_client_uri), {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(response.status, 200)
    assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal((await response.json()).initiate_login_uri, initiate_login_uri)
  }),
  'oidcc-3rd_party-init-login-nohttps': withRegistration((run) => {
    const metadata = { redirect_uris: [CALLBACK], initiate_login_uri: 'http://rp.example/login' }
    return refused(run, metadata, 'invalid_client_metadata')
  }),
}

export function dynamicModules(receiver: LogoutReceiver | null): Record<string, Module> {
  const all = { ...modules, ...withAddress(receiver) }
  return Object.fromEntries(
    Object.entries(all).map(([name, module]) => [name, withRegistration(module)]),
  )
}
