import type { Application } from '../oidc/client'

/** A sample that runs: with the values of an application; its secret comes from the environment. */

export type Values = {
  issuer: string
  /** The base of the endpoints. */
  origin: string
  kind: Application['kind']
  clientId: string
  redirectUri: string
  postLogoutUri: string | null
  scope: string
}

export type Guide = {
  /** The name of the library, the same in every language. */
  label: string
  install: string | null
  files: readonly { name: string; text: string }[]
  run: string
  /** The address that the sample listens on, if the application has to register it. */
  redirectUri: string | null
}

/** A literal in JavaScript, Python and Go alike: the values are printable ASCII. */
export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** Libraries refuse plain http by default; it is only for a portal on this machine. */
export function isPlainHttp({ issuer }: Pick<Values, 'issuer'>): boolean {
  return issuer.startsWith('http:')
}

export function portOf(redirectUri: string): string {
  return new URL(redirectUri).port || '3000'
}

export function pathOf(redirectUri: string): string {
  return new URL(redirectUri).pathname
}
