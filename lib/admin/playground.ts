import { randomBytes } from 'node:crypto'
import { sha256 } from '../crypto/secrets'
import { paths } from '../oidc/paths'

/** An authorization request and the token request that follows, for users who want to see them. */

export const PLAYGROUND_FIELDS = [
  'client',
  'redirect_uri',
  'scope',
  'prompt',
  'login_hint',
  'resource',
] as const
export type PlaygroundAsk = Partial<Record<(typeof PLAYGROUND_FIELDS)[number], string>>

type AuthorizationExample = {
  parameters: [string, string][]
  url: string
  verifier: string
  curl: string
}

type Known = { client: string; redirectUri: string; isPublic: boolean }

export function buildRequest(
  origin: string,
  known: Known,
  ask: PlaygroundAsk,
): AuthorizationExample {
  const random = () => randomBytes(32).toString('base64url')
  const verifier = random()
  const { client, redirectUri } = known
  const wanted: Record<string, string | undefined> = {
    client_id: client,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: ask.scope?.split(/\s+/).join(' '),
    state: random(),
    nonce: random(),
    code_challenge: sha256(verifier),
    code_challenge_method: 'S256',
    prompt: ask.prompt,
    login_hint: ask.login_hint,
    resource: ask.resource,
  }
  const parameters = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  )
  const url = `${origin}${paths.authorize}?${new URLSearchParams(parameters)}`
  return { parameters, url, verifier, curl: curlOf(origin, known, verifier) }
}

function curlOf(origin: string, { client, redirectUri, isPublic }: Known, verifier: string) {
  const fields = [
    ['grant_type', 'authorization_code'],
    ['code', 'CODE'],
    ['redirect_uri', redirectUri],
    ['client_id', client],
    ...(isPublic ? [] : [['client_secret', 'SECRET']]),
    ['code_verifier', verifier],
  ]
  const lines = fields.map(([name, value]) => `  --data-urlencode ${quoted(`${name}=${value}`)}`)
  return [`curl ${quoted(`${origin}${paths.token}`)}`, ...lines].join(' \\\n')
}

/** Registered values are quoted, so that a shell reads each as one word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
