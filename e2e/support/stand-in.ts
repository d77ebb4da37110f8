import { createHash, randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { freePort } from './postgres'

/**
 * A provider that says what a test wants it to say, lies included: OpenID Connect at its root, and
 * GitHub's endpoints as GitHub Enterprise Server has them.
 */

export type Script = {
  /** What it knows of the person, told by userinfo. */
  person: Record<string, unknown>
  /** Over what an honest id_token would hold. */
  idToken?: Record<string, unknown>
  /** Over what an honest answer in the address would hold; undefined leaves one out. */
  answer?: Record<string, string | undefined>
  signedByAnother?: boolean
  /** Hangs up on whoever brings a code. */
  hangsUp?: boolean
  github?: { user: Record<string, unknown>; emails: Record<string, unknown>[] }
}

export type StandIn = {
  origin: string
  host: string
  script: Script
  /** The parameters of the last authorization request. */
  asked: Record<string, string>
  /** The client secrets that were shown to it. */
  secrets: (string | null)[]
  stop(): void
}

export const STAND_IN_SECRET = 'the-secret-of-the-stand-in'

type Given = { nonce: string | null; challenge: string; redirectUri: string; maxAge: boolean }

export async function startStandIn(): Promise<StandIn> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const key = await generateKeyPair('RS256')
  const outsider = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(key.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Given>()
  const state: StandIn = {
    origin,
    host: `localhost:${port}`,
    script: { person: {} },
    asked: {},
    secrets: [],
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }

  function authorize(url: URL, response: ServerResponse) {
    state.asked = Object.fromEntries(url.searchParams)
    const { redirect_uri = '', state: echo, nonce = null, code_challenge = '' } = state.asked
    const code = randomUUID()
    const maxAge = state.asked.max_age !== undefined
    codes.set(code, { nonce, challenge: code_challenge, redirectUri: redirect_uri, maxAge })
    const fields = { code, state: echo, iss: origin, ...state.script.answer }
    const back = new URL(redirect_uri)
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined) back.searchParams.set(name, value)
    }
    response.writeHead(302, { location: back.href }).end()
  }

  /** Each code once, for whoever has the secret, the address and the PKCE verifier. */
  async function token(request: IncomingMessage, response: ServerResponse) {
    if (state.script.hangsUp) return response.destroy()
    const form = new URLSearchParams(await textOf(request))
    state.secrets.push(secretOf(request, form))
    const given = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const isOurs =
      secretOf(request, form) === STAND_IN_SECRET &&
      given?.challenge === challenge &&
      given.redirectUri === form.get('redirect_uri')
    if (!given || !isOurs) return send(response, 400, { error: 'invalid_grant' })
    const common = { access_token: 'an-access-token', token_type: 'Bearer' }
    if (request.url?.startsWith('/login/oauth')) return send(response, 200, common)
    send(response, 200, { ...common, id_token: await idToken(given) })
  }

  function idToken({ nonce, maxAge }: Given): Promise<string> {
    const now = Math.floor(Date.now() / 1000)
    const sub = String(state.script.person.sub)
    const claims = { iss: origin, aud: 'portal', sub, nonce, iat: now, exp: now + 300 }
    // OpenID Connect Core §2: required where `max_age` was asked for.
    const honest = { ...claims, ...(maxAge && { auth_time: now }) }
    const signer = state.script.signedByAnother ? outsider : key
    return new SignJWT({ ...honest, ...state.script.idToken })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(signer.privateKey)
  }

  const documents: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      userinfo_endpoint: `${origin}/userinfo`,
      jwks_uri: `${origin}/jwks`,
      id_token_signing_alg_values_supported: ['RS256'],
      authorization_response_iss_parameter_supported: true,
    }),
    // Another one's document at this one's address.
    '/elsewhere/.well-known/openid-configuration': () => documents[DISCOVERY]?.(),
    '/jwks': () => ({ keys: [jwk] }),
    '/userinfo': () => state.script.person,
    '/api/v3/user': () => state.script.github?.user,
    '/api/v3/user/emails': () => state.script.github?.emails,
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', origin)
    if (url.pathname.endsWith('/authorize')) return authorize(url, response)
    if (request.method === 'POST') return token(request, response)
    const document = documents[url.pathname]
    send(response, document ? 200 : 404, document?.() ?? {})
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return state
}

const DISCOVERY = '/.well-known/openid-configuration'

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function secretOf({ headers }: IncomingMessage, form: URLSearchParams): string | null {
  const [, basic] = /^Basic (.+)$/.exec(headers.authorization ?? '') ?? []
  if (basic === undefined) return form.get('client_secret')
  return Buffer.from(basic, 'base64').toString('utf8').split(':')[1] ?? null
}
