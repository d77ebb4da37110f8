import type { NextApiRequest, NextApiResponse } from 'next'
import NextAuth, { type NextAuthOptions, type TokenSet } from 'next-auth'
import type { OAuthConfig } from 'next-auth/providers/oauth'
import { z } from 'zod'
import { cookieOptions, isSecure } from '../accounts/session-cookie'
import { guardedLookup } from '../base/address-guard'
import { guardedRequest } from '../base/guarded-request'
import type { Op } from '../context/op'
import type { UpstreamProvider } from '../settings/providers'
import type { Endpoints } from '../upstream/discovery'
import { isOfTheFuture } from '../upstream/freshness'
import { personOf, type UpstreamPerson } from '../upstream/person'

/**
 * next-auth performs the steps of OAuth: state, PKCE and nonce on the way out, code and id_token on
 * the way back. It is called as a function and sees only what it is given. Every result except the
 * address at the provider or a verified user is a failure, and it never creates a session (attack
 * M32).
 */

const TIMEOUT_MS = 5_000
export const STEPS_SECONDS = 15 * 60
const CHECKS = ['state', 'pkceCodeVerifier', 'nonce'] as const

export type Cookies = Record<string, string>

/** The cookies with state, PKCE verifier and nonce, each encrypted by next-auth. */
export function stepCookieNames(op: Op): string[] {
  return CHECKS.map((check) => cookieName(op, check))
}

type Begun = { url: string; cookies: Cookies }

/**
 * Where to send the browser, and the cookies that it must return. Null if the provider cannot be
 * used.
 */
export async function beginOAuth(
  op: Op,
  provider: UpstreamProvider,
  wishes: Record<string, string>,
): Promise<Begun | null> {
  const endpoints = await reachable(op, provider)
  if (!endpoints) return null
  const ask = asking(
    op,
    optionsFor(op, provider, endpoints, () => {}),
  )
  // next-auth's own CSRF token is fetched and sent back: a server action is same-origin anyway.
  const token = await ask({ method: 'GET', steps: ['csrf'] })
  const { csrfToken } = z.object({ csrfToken: z.string() }).parse(token.body)
  const begun = await ask({
    method: 'POST',
    steps: ['signin', provider.id],
    query: wishes,
    body: { csrfToken },
    cookies: token.cookies,
  })
  const [place, wanted] = [begun.location?.split('?')[0], endpoints.authorization.split('?')[0]]
  if (begun.location === null || place !== wanted) return null
  return { url: begun.location, cookies: pick(begun.cookies, stepCookieNames(op)) }
}

/** The verified user; null for anything else. */
export async function finishOAuth(
  op: Op,
  provider: UpstreamProvider,
  query: Record<string, string>,
  cookies: Cookies,
): Promise<UpstreamPerson | null> {
  const endpoints = await reachable(op, provider)
  if (!endpoints || (endpoints.namesItself && query.iss === undefined)) return null
  let person: UpstreamPerson | null = null
  const options = optionsFor(op, provider, endpoints, (claims) => {
    person = personOf(provider, claims)
  })
  const ask = asking(op, options)
  await ask({ method: 'GET', steps: ['callback', provider.id], query, cookies })
  return person
}

async function reachable(op: Op, provider: UpstreamProvider): Promise<Endpoints | null> {
  try {
    return await op.discover(provider)
  } catch (error) {
    op.log.warn({ provider: provider.id, reason: reasonOf(error) }, 'provider not usable')
    return null
  }
}

function optionsFor(
  op: Op,
  provider: UpstreamProvider,
  endpoints: Endpoints,
  arrived: (claims: unknown) => void,
): NextAuthOptions {
  const names = [...CHECKS, 'sessionToken', 'callbackUrl', 'csrfToken'] as const
  const options = { ...cookieOptions(op), maxAge: STEPS_SECONDS }
  return {
    providers: [toOAuth(op, provider, endpoints)],
    secret: op.nextAuthKey.toString('base64url'),
    cookies: Object.fromEntries(
      names.map((name) => [name, { name: cookieName(op, name), options }]),
    ),
    useSecureCookies: isSecure(op.origin),
    callbacks: {
      signIn({ profile }) {
        arrived(profile)
        return '/' // an address instead of `true`: next-auth stops here and creates no session
      },
    },
    logger: {
      error: (step, about) =>
        op.log.warn({ provider: provider.id, step, reason: reasonOf(about) }, 'upstream sign-in'),
      warn: () => {},
      debug: () => {},
    },
  }
}

function toOAuth(
  op: Op,
  provider: UpstreamProvider,
  endpoints: Endpoints,
): OAuthConfig<Record<string, unknown>> {
  const { id, name, kind, issuer, clientId, clientSecret } = provider
  const { authorization, token, userinfo, jwks, tokenAuthMethod, idTokenAlgorithm } = endpoints
  const isGithub = kind === 'github'
  const scope = isGithub ? 'read:user user:email' : 'openid profile email'
  return {
    id,
    name,
    issuer,
    clientId,
    clientSecret,
    type: 'oauth',
    idToken: !isGithub,
    authorization: { url: authorization, params: { scope, response_type: 'code' } },
    token: { url: token },
    ...(jwks !== null && { jwks_endpoint: jwks }),
    checks: isGithub ? ['pkce', 'state'] : ['pkce', 'state', 'nonce'],
    client: {
      token_endpoint_auth_method: tokenAuthMethod,
      id_token_signed_response_alg: idTokenAlgorithm,
    },
    userinfo: {
      ...(userinfo !== null && { url: userinfo }),
      request: ({ client, tokens }) =>
        isGithub
          ? githubClaims(op, userinfo ?? '', tokens.access_token ?? '')
          : openIdClaims(op, client, tokens as Tokens, userinfo !== null),
    },
    profile: (claims) => ({ id: String(claims.sub ?? claims.id) }),
    httpOptions: { timeout: TIMEOUT_MS, lookup: guardedLookup(op.config.outboundHosts) },
  }
}

// The values that next-auth really passes, whatever its types say.
type Tokens = TokenSet & { claims(): Record<string, unknown> }
type Client = { userinfo(tokens: Tokens): Promise<Record<string, unknown>> }

/** The TokenSet and not the bare token, so that both documents must be about the same subject. */
async function openIdClaims(op: Op, client: unknown, tokens: Tokens, hasUserinfo: boolean) {
  const signed = tokens.claims()
  if (isOfTheFuture(signed, op.now())) throw new Error('the id_token is of the future')
  const told = hasUserinfo ? await (client as Client).userinfo(tokens) : {}
  // An address and its verification come from the same document.
  const { email, email_verified, xms_edov } = signed.email === undefined ? told : signed
  return { ...told, ...signed, email, email_verified, xms_edov }
}

async function githubClaims(op: Op, api: string, token: string) {
  const headers = {
    Accept: 'application/vnd.github+json',
    Authorization: `Bearer ${token}`,
    'User-Agent': 'Gatehouse',
  }
  const read = async (path: string) => {
    const request = { method: 'GET', headers } as const
    const { status, body } = await guardedRequest(api + path, request, op.config.outboundHosts)
    if (status !== 200) throw new Error(`GitHub answered ${status} to ${path}`)
    return JSON.parse(body)
  }
  return { ...(await read('/user')), emails: await read('/user/emails') }
}

// ---------------------------------------------------------------- next-auth as a function

type Question = {
  method: 'GET' | 'POST'
  steps: string[]
  query?: Record<string, string>
  body?: Record<string, string>
  cookies?: Cookies
}
type Answer = { location: string | null; cookies: Cookies; body: unknown }

function asking(op: Op, options: NextAuthOptions): (question: Question) => Promise<Answer> {
  // The only place where next-auth looks for its own address; never a Host header (attack M19).
  process.env.NEXTAUTH_URL = op.origin
  return async ({ method, steps, query = {}, body = {}, cookies = {} }) => {
    const headers = new Map<string, string | string[]>()
    let said: unknown
    const say = (value: unknown) => {
      said = value
    }
    const response = {
      status: () => response,
      getHeader: (name: string) => headers.get(name),
      setHeader: (name: string, value: string | string[]) => headers.set(name, value),
      end: () => {},
      json: say,
      send: say,
    }
    const request = { method, query: { ...query, nextauth: steps }, body, cookies, headers: {} }
    await NextAuth(
      request as unknown as NextApiRequest, // only the parts that next-auth uses
      response as unknown as NextApiResponse,
      options,
    )
    const location = headers.get('Location')
    return {
      location: typeof location === 'string' ? location : null,
      cookies: Object.fromEntries([headers.get('Set-Cookie') ?? []].flat().map(pairOf)),
      body: said,
    }
  }
}

function pairOf(line: string): [string, string] {
  const [pair = ''] = line.split(';')
  const equals = pair.indexOf('=')
  return [pair.slice(0, equals), decodeURIComponent(pair.slice(equals + 1))]
}

function pick(cookies: Cookies, names: string[]): Cookies {
  return Object.fromEntries(Object.entries(cookies).filter(([name]) => names.includes(name)))
}

function cookieName(op: Op, name: string): string {
  return `${isSecure(op.origin) ? '__Host-' : ''}gatehouse.upstream.${name}`
}

/** The message alone: the rest of such an error contains codes and tokens. */
function reasonOf(about: unknown): string {
  const inner = (about as { error?: unknown }).error ?? about
  return inner instanceof Error ? `${inner.name}: ${inner.message}` : 'unknown'
}
