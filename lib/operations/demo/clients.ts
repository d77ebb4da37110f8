import { API_BASE } from '../../api/http/operation'
import { openAuthorizeEndpoint } from '../../api/registration/authorize'
import { apiEndpoint } from '../../api/table'
import type { Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { newSecret, sha256 } from '../../crypto/secrets'
import { resumeEndpoint, tokenEndpoint, userinfoEndpoint } from '../../oidc/endpoints'
import { paths } from '../../oidc/paths'
import type { Demo } from '../../store/operations/demo'
import { ask, type Body, bodyOf } from './ask'
import { type Browser, consentTo, open } from './browser'

/** What the sample applications send: to the endpoints of the protocol, and to the API. */

type Fields = Readonly<Record<string, string>>

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const JSON_TYPE = { 'content-type': 'application/json' }

export function askToken(op: Op, ip: string, fields: Fields): Promise<Reply> {
  const body = String(new URLSearchParams(fields))
  return ask(op, tokenEndpoint, { method: 'POST', url: paths.token, ip, headers: FORM, body })
}

export async function tokensFor(op: Op, ip: string, fields: Fields): Promise<Tokens> {
  const { access_token, refresh_token = '' } = bodyOf(await askToken(op, ip, fields))
  return { accessToken: String(access_token), refreshToken: String(refresh_token) }
}

export type Tokens = { accessToken: string; refreshToken: string }

// ---------------------------------------------------------------- the API

/** With the headers of a token, or of the portal's own pages. */
export type ApiUser = { ip: string; headers: Fields }

export function withToken(ip: string, { accessToken }: Tokens): ApiUser {
  return { ip, headers: { authorization: `Bearer ${accessToken}` } }
}

export async function readApi(op: Op, { ip, headers }: ApiUser, path: string): Promise<Body> {
  return bodyOf(await ask(op, apiEndpoint, { url: API_BASE + path, ip, headers }))
}

export async function postApi(op: Op, user: ApiUser, path: string, body: object): Promise<Body> {
  const headers = { ...user.headers, ...JSON_TYPE }
  const sent = { method: 'POST', url: API_BASE + path, ip: user.ip, headers } as const
  return bodyOf(await ask(op, apiEndpoint, { ...sent, body: JSON.stringify(body) }))
}

// ---------------------------------------------------------------- applications with users

export type SignInApp = {
  clientId: string
  /** None for a public client, which then sends a code challenge. */
  secret?: string
  redirectUri: string
  scope: string
}

export function webApp({ web }: Demo): SignInApp {
  const scope = 'openid profile email offline_access orders:read orders:write orders:refund'
  return {
    clientId: web.client_id,
    secret: web.client_secret,
    redirectUri: web.redirect_uris[0] ?? '',
    scope,
  }
}

export function singlePageApp({ spa }: Demo): SignInApp {
  const scope = 'openid profile orders:read'
  return { clientId: spa.client_id, redirectUri: spa.redirect_uris[0] ?? '', scope }
}

function clientFields({ clientId, secret }: SignInApp): Fields {
  return { client_id: clientId, ...(secret !== undefined && { client_secret: secret }) }
}

export function authorizeUrl(app: SignInApp, more: Fields = {}): string {
  const { clientId, redirectUri, scope } = app
  const fields = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope }
  return `${paths.authorize}?${new URLSearchParams({ ...fields, state: 'sample', ...more })}`
}

type Code = { code: string; verifier?: string }

/** The user is signed in at the browser, and agrees to what the application asks for. */
export async function codeFor(op: Op, browser: Browser, app: SignInApp): Promise<Code> {
  // A code verifier is random text of the same kind (RFC 7636 §4.1).
  const verifier = newSecret('ghbr')
  const pkce = { code_challenge: sha256(verifier), code_challenge_method: 'S256' }
  const url = authorizeUrl(app, app.secret === undefined ? pkce : {})
  const target = new URL(locationOf(await open(op, openAuthorizeEndpoint, browser, url)), op.origin)
  const answer =
    target.pathname === '/consent' ? await afterConsent(op, browser, app, target) : target
  const code = answer.searchParams.get('code')
  if (code === null) throw new Error(`the sample activity got no code but ${answer.search}`)
  return { code, ...(app.secret === undefined && { verifier }) }
}

async function afterConsent(op: Op, browser: Browser, app: SignInApp, page: URL): Promise<URL> {
  const interaction = page.searchParams.get('interaction') ?? ''
  const next = await consentTo(op, browser, interaction, app.scope.split(' '))
  return new URL(locationOf(await open(op, resumeEndpoint, browser, next)), op.origin)
}

function locationOf({ headers, status }: Reply): string {
  const { Location } = headers
  if (Location !== undefined) return Location
  throw new Error(`the sample activity was not redirected: ${status}`)
}

export function exchangeFields(app: SignInApp, { code, verifier }: Code): Fields {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: app.redirectUri,
    ...clientFields(app),
    ...(verifier !== undefined && { code_verifier: verifier }),
  }
}

export function refreshFields(app: SignInApp, refreshToken: string): Fields {
  return { grant_type: 'refresh_token', refresh_token: refreshToken, ...clientFields(app) }
}

export async function readUserInfo(op: Op, ip: string, accessToken: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` }
  bodyOf(await ask(op, userinfoEndpoint, { url: paths.userinfo, ip, headers }))
}

// ---------------------------------------------------------------- the machine

export function machineFields({ machine }: Demo, scope: string): Fields {
  const { client_id, client_secret } = machine
  return { grant_type: 'client_credentials', client_id, client_secret, scope }
}

export function accessKeyFields({ machine }: Demo, scope: string): Fields {
  const { access_key, secret_key } = machine
  return {
    grant_type: 'client_credentials',
    client_id: access_key,
    client_secret: secret_key,
    scope,
  }
}
