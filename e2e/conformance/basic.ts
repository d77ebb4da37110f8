import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  authorize,
  codeFields,
  type Fields,
  newRun,
  type Run,
  request,
  signIn,
  tokenRequest,
  userinfo,
} from './relying-party'

/**
 * oidcc-basic-certification-test-plan and oidcc-formpost-basic-certification-test-plan: the modules
 * that apply to static clients, each named as the foundation names it.
 */

/** With a reason, where the name of the module does not tell it. */
export type NotApplicable = 'not applicable' | `not applicable: ${string}`
export type Module = (run: Run) => Promise<undefined | NotApplicable>

const SILENT_ERRORS = [
  'login_required',
  'interaction_required',
  'account_selection_required',
  'consent_required',
]

/** At least 128 bits of text, and not the same letter over and over. */
function assertStrong(value: string | undefined): void {
  assert.ok(value && value.length * 6 >= 128, 'too short')
  const counts = [...value].reduce(
    (map, letter) => map.set(letter, (map.get(letter) ?? 0) + 1),
    new Map<string, number>(),
  )
  const entropy = [...counts.values()].reduce((sum, count) => {
    const p = count / value.length
    return sum - p * Math.log2(p)
  }, 0)
  assert.ok(entropy * value.length >= 96, 'too little entropy')
}

async function json(response: Response): Promise<Record<string, unknown>> {
  return response.json()
}

async function claimsWith(run: Run, scope: string) {
  const { tokens, claims } = await signIn(run, { scope })
  const response = await userinfo(run, tokens.access_token)
  assert.equal(response.status, 200)
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  const info = await json(response)
  assert.equal(info.sub, claims.sub)
  return { info, claims }
}

const accepted =
  (more: Fields): Module =>
  async (run) => {
    await signIn(run, more)
  }

const scopeModule =
  (scope: string, expected: string[]): Module =>
  async (run) => {
    const { info, claims } = await claimsWith(run, scope)
    for (const name of expected) assert.ok(name in info, `${name} is not in userinfo`)
    assert.ok(!('email' in claims) && !('address' in claims), 'claims belong in userinfo')
  }

async function asUnusedCode(run: Run, wait: number): Promise<undefined> {
  const { code, tokens } = await signIn(run)
  await sleep(wait)
  const again = await tokenRequest(run, codeFields(run, code))
  assert.equal(again.status, 400)
  const body = await json(again)
  assert.equal(body.error, 'invalid_grant')
  assert.match(String(body.error_description ?? 'x'), /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/)
  if (wait > 0) assert.ok((await userinfo(run, tokens.access_token)).status >= 400)
}

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/**
 * The foundation leaves the module out only if discovery lists algorithms without `none`. Its own says
 * only in the object how to answer; a certified provider may not read it there, so this one repeats it.
 */
const requestObjectModule: Module = async (run) => {
  const { request_object_signing_alg_values_supported: algorithms, request_parameter_supported } =
    run.metadata as Record<string, unknown>
  if (Array.isArray(algorithms) && !algorithms.includes('none')) return 'not applicable'
  if (request_parameter_supported) {
    return 'not applicable: this suite does not try request where it is offered'
  }
  const fields = request(run)
  const object = `${encoded({ alg: 'none' })}.${encoded(fields)}.`
  const { params, page } = await authorize(run, { ...fields, request: object })
  assert.equal(params?.error, 'request_not_supported')
  assert.equal(params?.state, fields.state)
  assert.equal(page.url.startsWith(run.subject.client.redirect_uri), !run.formPost)
  return undefined
}

export const basicModules: Record<string, Module> = {
  'oidcc-server': async (run) => {
    const { fields, outcome, code, response, tokens, claims } = await signIn(run)
    assert.equal(outcome.params?.state, fields.state)
    assert.equal(outcome.params?.iss ?? run.subject.issuer, run.subject.issuer)
    assertStrong(code)
    assertStrong(tokens.access_token)
    assert.equal(tokens.token_type?.toLowerCase(), 'bearer')
    assert.ok(Number(tokens.expires_in) > 0)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.equal(claims.nonce, fields.nonce)
    const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16)
    assert.equal(claims.at_hash ?? half.toString('base64url'), half.toString('base64url'))
    assert.equal((await userinfo(run, tokens.access_token)).status, 200)
  },
  'oidcc-response-type-missing': async (run) => {
    const { params, page } = await authorize(run, request(run, { response_type: '' }))
    if (params)
      assert.ok(['invalid_request', 'unsupported_response_type'].includes(params.error ?? ''))
    else assert.ok(page.status >= 400)
  },
  'oidcc-userinfo-get': async (run) => {
    await claimsWith(run, 'openid')
  },
  'oidcc-userinfo-post-header': async (run) => {
    const { tokens } = await signIn(run)
    assert.equal((await userinfo(run, tokens.access_token, 'header')).status, 200)
  },
  'oidcc-userinfo-post-body': async (run) => {
    const { tokens } = await signIn(run)
    assert.equal((await userinfo(run, tokens.access_token, 'body')).status, 200)
  },
  'oidcc-ensure-request-without-nonce-succeeds-for-code-flow': async (run) => {
    const { claims } = await signIn(run, { nonce: '' })
    assert.equal(claims.nonce, undefined)
  },
  'oidcc-scope-profile': scopeModule('openid profile', ['name']),
  'oidcc-scope-email': scopeModule('openid email', ['email', 'email_verified']),
  'oidcc-scope-address': scopeModule('openid address', ['address']),
  'oidcc-scope-phone': scopeModule('openid phone', ['phone_number']),
  'oidcc-scope-all': scopeModule('openid profile email address phone', [
    'name',
    'email',
    'address',
    'phone_number',
  ]),
  'oidcc-alternate-happy-flow': async (run) => {
    const fields = request(run, { scope: 'email profile openid' })
    const shuffled = Object.fromEntries(Object.entries(fields).reverse())
    const { params } = await authorize(run, shuffled)
    assert.ok(params?.code)
  },
  'oidcc-display-page': accepted({ display: 'page' }),
  'oidcc-display-popup': accepted({ display: 'popup' }),
  'oidcc-prompt-login': async (run) => {
    const first = await signIn(run)
    await sleep(1_100)
    const second = await signIn(run, { prompt: 'login' })
    assert.ok(second.outcome.loggedIn, 'the login page was not shown again')
    assert.ok(Number(second.claims.auth_time) > Number(first.claims.iat) - 1)
  },
  'oidcc-prompt-none-not-logged-in': async (run) => {
    const { params } = await authorize(run, request(run, { prompt: 'none' }))
    assert.ok(SILENT_ERRORS.includes(params?.error ?? ''))
  },
  'oidcc-prompt-none-logged-in': async (run) => {
    const first = await signIn(run, { max_age: '1000' })
    const second = await signIn(run, { prompt: 'none', max_age: '1000' })
    assert.ok(!second.outcome.loggedIn)
    assert.equal(second.claims.sub, first.claims.sub)
    assert.equal(second.claims.auth_time, first.claims.auth_time)
  },
  'oidcc-max-age-1': async (run) => {
    await signIn(run)
    await sleep(2_100)
    const second = await signIn(run, { max_age: '1' })
    assert.ok(second.outcome.loggedIn)
    assert.ok(Number(second.claims.auth_time) > Date.now() / 1000 - 30)
  },
  'oidcc-max-age-10000': async (run) => {
    const first = await signIn(run, { max_age: '15000' })
    const second = await signIn(run, { max_age: '10000' })
    assert.ok(!second.outcome.loggedIn)
    assert.equal(second.claims.auth_time, first.claims.auth_time)
  },
  'oidcc-ensure-request-with-unknown-parameter-succeeds': accepted({ extra: 'foobar' }),
  'oidcc-id-token-hint': async (run) => {
    const first = await signIn(run)
    const second = await signIn(run, { prompt: 'none', id_token_hint: first.tokens.id_token })
    assert.equal(second.claims.sub, first.claims.sub)
  },
  'oidcc-login-hint': accepted({ login_hint: 'bob@example.com' }),
  'oidcc-ui-locales': accepted({ ui_locales: 'se' }),
  'oidcc-claims-locales': accepted({ claims_locales: 'se' }),
  'oidcc-ensure-request-with-acr-values-succeeds': accepted({ acr_values: '1 2' }),
  'oidcc-codereuse': (run) => asUnusedCode(run, 0),
  'oidcc-codereuse-30seconds': (run) => asUnusedCode(run, 30_000),
  'oidcc-ensure-registered-redirect-uri': async (run) => {
    const redirect_uri = `${run.subject.client.redirect_uri}/extra`
    const { params, page } = await authorize(run, request(run, { redirect_uri }))
    assert.equal(params, null)
    assert.ok(page.status >= 400)
  },
  'oidcc-ensure-post-request-succeeds': async (run) => {
    const { params } = await authorize(run, request(run), true)
    assert.ok(params?.code)
  },
  'oidcc-server-client-secret-post': async (run) => {
    await signIn(run, {}, true)
  },
  'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported':
    requestObjectModule,
  'oidcc-claims-essential': async (run) => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } })
    const { tokens } = await signIn(run, { claims })
    assert.ok((await json(await userinfo(run, tokens.access_token))).name)
  },
  'oidcc-ensure-request-object-with-redirect-uri': async (run) => {
    const algorithms: unknown = run.metadata.request_object_signing_alg_values_supported
    if (!Array.isArray(algorithms) || !algorithms.includes('none')) return 'not applicable'
    throw new Error('unsigned request objects are advertised: the module has to be written')
  },
  'oidcc-refresh-token': async (run) => {
    const scope = 'openid offline_access'
    const first = await signIn(run, { scope, prompt: 'consent' })
    assertStrong(first.tokens.refresh_token)
    const refresh = (token: string, more: Fields = {}) =>
      tokenRequest(run, { grant_type: 'refresh_token', refresh_token: token, ...more })
    const response = await refresh(first.tokens.refresh_token ?? '')
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const second = (await response.json()) as Fields
    assert.notEqual(second.access_token, first.tokens.access_token)
    const latest = second.refresh_token ?? first.tokens.refresh_token ?? ''
    assert.equal((await refresh(latest, { scope: 'openid' })).status, 200)
    await assertBoundToClient(run, scope)
  },
  'oidcc-ensure-request-with-valid-pkce-succeeds': async (run) => {
    const verifier = randomBytes(32).toString('base64url')
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
    const { params } = await authorize(run, request(run, pkce))
    const response = await tokenRequest(
      run,
      codeFields(run, params?.code ?? '', { code_verifier: verifier }),
    )
    assert.equal(response.status, 200)
  },
}

/** The second client's refresh token, presented by the first. */
async function assertBoundToClient(run: Run, scope: string): Promise<void> {
  const other = await newRun({ ...run.subject, client: run.subject.client2 }, run.formPost)
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }
  const { params } = await authorize(other, request(other, { scope, prompt: 'consent', ...pkce }))
  const fields = codeFields(other, params?.code ?? '', { code_verifier: verifier })
  const tokens = (await (await tokenRequest(other, fields, run.subject.client2)).json()) as Fields
  assert.ok(tokens.refresh_token, JSON.stringify(tokens))
  const stolen = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token }
  const answer = await tokenRequest(run, stolen)
  assert.equal(answer.status, 400)
  assert.equal((await json(answer)).error, 'invalid_grant')
}
