import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose'
import { formOf, OldBrowser, type Page } from '../support/old-browser'

/** The suite's relying party and its user, in a browser from before scripts. */

export type Client = { client_id: string; client_secret: string | null; redirect_uri: string }

/** Everything that the suite has to be told about a provider. */
export type Subject = {
  issuer: string
  user: { login: string; password: string }
  client: Client
  /** Another application of the same provider. */
  client2: Client
  postLogoutRedirectUri: string
  /** Makes another key sign; absent where nobody can. */
  rotateKeys?(alg: string): Promise<void>
}

export type Fields = Record<string, string>
export type Tokens = Record<string, string> & { id_token: string; access_token: string }
export type Metadata = Record<string, string> & {
  authorization_endpoint: string
  token_endpoint: string
  userinfo_endpoint: string
  end_session_endpoint: string
  jwks_uri: string
}

export type Run = { subject: Subject; metadata: Metadata; browser: OldBrowser; formPost: boolean }

export async function newRun(subject: Subject, formPost: boolean): Promise<Run> {
  const response = await fetch(`${subject.issuer}/.well-known/openid-configuration`)
  const metadata = (await response.json()) as Metadata
  return { subject, metadata, browser: new OldBrowser(new URL(subject.issuer).origin), formPost }
}

const random = () => crypto.randomUUID()

export function request(run: Run, more: Fields = {}): Fields {
  const { client } = run.subject
  const all: Fields = {
    client_id: client.client_id,
    redirect_uri: client.redirect_uri,
    response_type: 'code',
    scope: 'openid',
    state: random(),
    nonce: random(),
    ...(run.formPost && { response_mode: 'form_post' }),
    ...more,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
}

export type Outcome = {
  /** What reached the callback; null: the browser stopped at a page of the provider. */
  params: Fields | null
  /** Whether a password was asked for on the way. */
  loggedIn: boolean
  page: Page
}

export async function authorize(run: Run, fields: Fields, post = false): Promise<Outcome> {
  const { authorization_endpoint } = run.metadata
  const query = new URLSearchParams(fields)
  const first = post
    ? await run.browser.open(authorization_endpoint, { method: 'POST', body: query })
    : await run.browser.open(`${authorization_endpoint}?${query}`)
  return finish(run, fields, first)
}

/** Logs in and agrees, as often as it is asked to. */
async function finish(run: Run, fields: Fields, first: Page): Promise<Outcome> {
  let page = first
  let loggedIn = false
  for (let step = 0; step < 6; step += 1) {
    const params = callback(page, fields.redirect_uri ?? '')
    const form = formOf(page)
    if (params || page.status >= 400 || !/<form/.test(page.html)) return { params, loggedIn, page }
    loggedIn ||= form.asksPassword
    page = await run.browser.submit(page, answersTo(run, page, form.asksPassword))
  }
  throw new Error(`the flow does not end: ${page.url}`)
}

/** Who, who with a password, or which scopes: whatever the page asks for. */
function answersTo({ subject }: Run, page: Page, asksPassword: boolean) {
  const { login, password } = subject.user
  const name = /name="identifier"/.test(page.html) ? 'identifier' : 'login'
  if (asksPassword) return { [name]: login, password }
  return name === 'identifier' ? { identifier: login } : consents(page)
}

function consents({ html }: Page): Record<string, string[]> {
  const boxes = [...html.matchAll(/<input\b[^>]*type="checkbox"[^>]*value="([^"]+)"/g)]
  const reversed = [...html.matchAll(/<input\b[^>]*value="([^"]+)"[^>]*type="checkbox"/g)]
  return { scope: [...boxes, ...reversed].map(([, value]) => value ?? '') }
}

function callback(page: Page, redirectUri: string): Fields | null {
  if (redirectUri === '') return null
  if (page.url.startsWith(redirectUri)) return Object.fromEntries(new URL(page.url).searchParams)
  const { action, inputs } = formOf(page)
  return action === redirectUri ? Object.fromEntries(inputs) : null
}

export function tokenRequest(run: Run, fields: Fields, client = run.subject.client, post = false) {
  const { client_id, client_secret } = client
  const basic = `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret ?? '')}`).toString('base64')}`
  const inBody = post || client_secret === null
  return fetch(run.metadata.token_endpoint, {
    method: 'POST',
    headers: inBody ? {} : { authorization: basic },
    body: new URLSearchParams({
      ...fields,
      ...(inBody && { client_id }),
      ...(post && client_secret !== null && { client_secret }),
    }),
  })
}

export function codeFields(run: Run, code: string, more: Fields = {}): Fields {
  const redirect_uri = run.subject.client.redirect_uri
  return { grant_type: 'authorization_code', code, redirect_uri, ...more }
}

/** The whole flow; the id_token is verified. */
export async function signIn(run: Run, more: Fields = {}, post = false) {
  const fields = request(run, more)
  const outcome = await authorize(run, fields)
  const code = outcome.params?.code
  if (code === undefined)
    throw new Error(`no code but ${JSON.stringify(outcome.params)} at ${outcome.page.url}`)
  const response = await tokenRequest(run, codeFields(run, code), run.subject.client, post)
  const tokens = (await response.json()) as Tokens
  if (response.status !== 200)
    throw new Error(`token: ${response.status} ${JSON.stringify(tokens)}`)
  return {
    fields,
    outcome,
    code,
    response,
    tokens,
    claims: await verifyIdToken(run, tokens.id_token),
  }
}

export async function verifyIdToken(run: Run, idToken: string): Promise<JWTPayload> {
  const keys = createRemoteJWKSet(new URL(run.metadata.jwks_uri))
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: run.subject.issuer,
    audience: run.subject.client.client_id,
    algorithms: ['RS256'],
  })
  return payload
}

export async function userinfo(run: Run, token: string, how: 'get' | 'header' | 'body' = 'get') {
  const headers: Fields = how === 'body' ? {} : { authorization: `Bearer ${token}` }
  const body = how === 'body' ? new URLSearchParams({ access_token: token }) : undefined
  const init = { method: how === 'get' ? 'GET' : 'POST', headers, ...(body && { body }) }
  return fetch(run.metadata.userinfo_endpoint, init)
}
