import type { Application } from '../oidc/client'

/** A sample that runs: with the values of an application; its secret comes from the environment. */

export type Values = {
  issuer: string
  /** The base of the endpoints. */
  origin: string
  kind: Application['kind']
  clientId: string
  redirectUri: string
  /** All that are registered: a product has an address of its own. */
  redirectUris: readonly string[]
  postLogoutUri: string | null
  scope: string
  /** It proves who it is with a key of its own (private_key_jwt, RFC 7523) and has no secret. */
  byKey: boolean
}

/** What an API knows of the portal. */
export type ApiValues = {
  issuer: string
  audience: string
  /** The permission that the sample asks for. */
  scope: string
}

/** What is not as the portal has it by default; the page says it in words. */
export type Need = 'pkceOff' | 'pkceSet' | 'accessTokenType' | 'https' | 'oauth2Proxy'

export type Guide = {
  /** The name of the library, the same in every language. */
  label: string
  /** Lines for the terminal: what the sample reads from the environment. */
  settings: string | null
  install: string | null
  files: readonly { name: string; text: string }[]
  run: string
  /** Where to go with a browser once it runs. */
  open: string | null
  /** The address that the sample listens on, if the application has to register it. */
  redirectUri: string | null
  /** The origin of a browser's own requests, if the application has to register it. */
  origin: string | null
  needs: readonly Need[]
  /** Whether `npm run samples` has run it; docs/quick-starts.md has the results. */
  tested: boolean
}

type Written = Pick<Guide, 'label' | 'files' | 'run'> & Partial<Guide>

export function sample(written: Written): Guide {
  const nothing = { settings: null, install: null, open: null, redirectUri: null, origin: null }
  return { ...nothing, needs: [], tested: true, ...written }
}

/** What stands where a secret goes. */
export const SECRET = '<client secret>'
export const SECRET_LINE = `export CLIENT_SECRET='${SECRET}'`
/** The private key of an application that has no secret. */
export const KEY_FILE_LINE = 'export CLIENT_KEY_FILE=private-key.json'
/** A value that only the sample itself has to know. */
export const SESSION_LINE = 'export SESSION_SECRET="$(openssl rand -hex 32)"'

/** Where resource servers listen: beside the portal and the applications. */
export const API_PORT = 3002

/** A literal in JavaScript, Python, Go, Rust, C#, YAML and TOML alike: the values are printable ASCII. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** Libraries refuse plain http by default; it is only for a portal on this machine. */
export function isPlainHttp({ issuer }: Pick<Values, 'issuer'>): boolean {
  return issuer.startsWith('http:')
}

export function portOf(redirectUri: string): string {
  return new URL(redirectUri).port || '3001'
}

export function pathOf(redirectUri: string): string {
  return new URL(redirectUri).pathname
}

export function homeOf(redirectUri: string): string {
  return `${new URL(redirectUri).origin}/`
}

/** The registered address with that path, else one beside the first. */
export function redirectAt({ redirectUri, redirectUris }: Values, path: string): string {
  const registered = redirectUris.find((uri) => uri.endsWith(path))
  return registered ?? `${new URL(redirectUri).origin}${path}`
}

export function discoveryOf(issuer: string): string {
  return `${issuer}/.well-known/openid-configuration`
}
