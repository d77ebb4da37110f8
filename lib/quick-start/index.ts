import { patternCovers } from '../access/pattern'
import { isPortalScope } from '../access/portal-api'
import type { Application } from '../oidc/client'
import { curlCodeFlow, curlMachine } from './curl'
import { go, goMachine } from './go'
import type { Guide, Values } from './guide'
import { NEXT_AUTH_CALLBACK, nextAuth } from './next-auth'
import { commandLine, express, machine } from './node'
import { flask, pythonMachine } from './python'
import { react } from './react'

export type { Guide } from './guide'

/** The samples for a kind of application, the most likely first. */
const BY_KIND: Readonly<
  Record<Application['kind'], Readonly<Record<string, (values: Values) => Guide>>>
> = {
  web: { next: nextAuth, express, python: flask, go, curl: curlCodeFlow },
  spa: { react, curl: curlCodeFlow },
  native: { node: commandLine, curl: curlCodeFlow },
  machine: { curl: curlMachine, node: machine, python: pythonMachine, go: goMachine },
}

type About = Pick<Application, 'id' | 'kind' | 'redirectUris' | 'postLogoutRedirectUris'> & {
  /** The scopes that it may ask for. */
  scopes: readonly string[]
}

const SIGN_IN = ['openid', 'profile', 'email']
const MOST_SCOPES = 4
const NOWHERE = 'http://localhost:3000/callback'

export function guidesFor(
  portal: { issuer: string; origin: string },
  app: About,
): { id: string; guide: Guide }[] {
  const own = app.scopes.slice(0, MOST_SCOPES)
  const scopes = app.kind === 'machine' ? own : [...SIGN_IN, ...own]
  const values: Values = {
    issuer: portal.issuer,
    origin: portal.origin,
    kind: app.kind,
    clientId: app.id,
    redirectUri: firstHttp(app.redirectUris) ?? NOWHERE,
    postLogoutUri: app.postLogoutRedirectUris[0] ?? null,
    scope: scopes.join(' '),
  }
  const nextUri = app.redirectUris.find((uri) => uri.endsWith(NEXT_AUTH_CALLBACK))
  return Object.entries(BY_KIND[app.kind]).map(([id, write]) => ({
    id,
    guide: write(id === 'next' && nextUri ? { ...values, redirectUri: nextUri } : values),
  }))
}

/** What a sample asks for: scopes of other APIs before the portal's own, and no patterns. */
export function askable(patterns: readonly string[]): string[] {
  const needed = [...new Set(patterns)].filter(
    (one) => !patterns.some((other) => other !== one && patternCovers(other, one)),
  )
  return needed.sort((a, b) => Number(isPortalScope(a)) - Number(isPortalScope(b)))
}

function firstHttp(uris: readonly string[]): string | undefined {
  return uris.find((uri) => /^https?:/.test(uri))
}
