import type { Application } from '../oidc/client'

/** A sample that runs: an application's own values in it, its secret in the environment. */

export type Values = {
  issuer: string
  /** Where the endpoints are. */
  origin: string
  kind: Application['kind']
  clientId: string
  redirectUri: string
  postLogoutUri: string | null
  scope: string
}

export type Guide = {
  /** What it is called everywhere, in no language. */
  label: string
  install: string | null
  files: readonly { name: string; text: string }[]
  run: string
  /** The address that it listens at, where the application has to know it. */
  redirectUri: string | null
}

/** A literal in JavaScript, Python and Go alike: what we write into one is printable ASCII. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** Libraries refuse plain http unless told; it is for a portal on this machine. */
export function isPlainHttp({ issuer }: Pick<Values, 'issuer'>): boolean {
  return issuer.startsWith('http:')
}

export function portOf(redirectUri: string): string {
  return new URL(redirectUri).port || '3000'
}

export function pathOf(redirectUri: string): string {
  return new URL(redirectUri).pathname
}
