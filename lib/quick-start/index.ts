import { patternCovers } from '../access/pattern'
import { isPortalScope } from '../access/portal-api'
import type { Application, AuthMethod } from '../oidc/client'
import { curlCodeFlow, curlDevice, curlMachine } from './curl'
import { dotnet, dotnetApi, dotnetMachine } from './dotnet'
import { go, goApi, goMachine } from './go'
import { type ApiValues, type Guide, pathOf, type Values } from './guide'
import { hono, honoApi } from './hono'
import { javaMachine, spring, springApi } from './java'
import { nextAuth } from './next-auth'
import { commandLine, express, expressApi, machine, television } from './node'
import { php, phpApi, phpMachine } from './php'
import { gitea, grafana, kubernetes } from './products'
import { apache, nginx, oauth2Proxy, traefik } from './proxies'
import { fastApi, flask, pythonMachine, pythonNative } from './python'
import { react } from './react'
import { rustApi, rustMachine, rustNative } from './rust'

export type { Guide } from './guide'

type Writers<V> = Readonly<Record<string, (values: V) => Guide>>

/** The samples for a kind of application, the most likely first. */
const BY_KIND: Readonly<Record<Application['kind'], Writers<Values>>> = {
  web: {
    next: nextAuth,
    express,
    hono,
    python: flask,
    go,
    spring,
    dotnet,
    php,
    apache,
    nginx,
    traefik,
    'oauth2-proxy': oauth2Proxy,
    grafana,
    gitea,
    curl: curlCodeFlow,
  },
  spa: { react, curl: curlCodeFlow },
  native: {
    node: commandLine,
    python: pythonNative,
    rust: rustNative,
    kubernetes,
    curl: curlCodeFlow,
  },
  device: { curl: curlDevice, node: television },
  machine: {
    curl: curlMachine,
    node: machine,
    python: pythonMachine,
    go: goMachine,
    java: javaMachine,
    dotnet: dotnetMachine,
    php: phpMachine,
    rust: rustMachine,
  },
}

/** Those that sign with a key of their own. */
const BY_KEY: Partial<typeof BY_KIND> = { web: { express }, machine: { node: machine } }

const FOR_APIS: Writers<ApiValues> = {
  express: expressApi,
  hono: honoApi,
  python: fastApi,
  go: goApi,
  spring: springApi,
  dotnet: dotnetApi,
  php: phpApi,
  rust: rustApi,
}

export type Written = { id: string; guide: Guide }

function write<V>(writers: Writers<V>, values: V): Written[] {
  return Object.entries(writers).map(([id, writer]) => ({ id, guide: writer(values) }))
}

type About = Pick<Application, 'id' | 'kind' | 'redirectUris' | 'postLogoutRedirectUris'> & {
  /** How it authenticates; by default with a secret, if it has one. */
  authMethods?: readonly AuthMethod[]
  /** The scopes that it may ask for. */
  scopes: readonly string[]
}

const SIGN_IN = ['openid', 'profile', 'email']
const MOST_SCOPES = 4
/** Beside the portal, which is at 3000 on a machine of one's own. */
const NOWHERE = 'http://localhost:3001/callback'
/** The samples have pages of their own there. */
const TAKEN = ['/', '/login']

export function guidesFor(portal: { issuer: string; origin: string }, app: About): Written[] {
  const own = app.scopes.slice(0, MOST_SCOPES)
  const scopes = app.kind === 'machine' ? own : [...SIGN_IN, ...own]
  const byKey = isByKey(app.authMethods)
  return write((byKey && BY_KEY[app.kind]) || BY_KIND[app.kind], {
    issuer: portal.issuer,
    origin: portal.origin,
    kind: app.kind,
    clientId: app.id,
    redirectUri: callbackOf(app.redirectUris),
    redirectUris: app.redirectUris,
    postLogoutUri: app.postLogoutRedirectUris[0] ?? null,
    scope: scopes.join(' '),
    byKey,
  })
}

/** Only with a key: where a secret works too, a secret is simpler to begin with. */
export function isByKey(methods: readonly AuthMethod[] = []): boolean {
  return methods.length > 0 && methods.every((method) => method === 'private_key_jwt')
}

type Permission = { key: string; userBound: boolean; needsRole: boolean }
type AboutApi = { audience: string; prefix: string; permissions: readonly Permission[] }

export function guidesForApi(issuer: string, api: AboutApi): Written[] {
  const scope = easiest(api.permissions) ?? `${api.prefix}:read`
  return write(FOR_APIS, { issuer, audience: api.audience, scope })
}

/** What somebody who tries an API is likely to have: reading, and without a role. */
function easiest(permissions: readonly Permission[]): string | undefined {
  const plain = permissions.filter(({ userBound, needsRole }) => !userBound && !needsRole)
  const reading = plain.find(({ key }) => key.endsWith(':read'))
  return (reading ?? plain[0] ?? permissions[0])?.key
}

/** What a sample asks for: scopes of other APIs before the portal's own, and no patterns. */
export function askable(patterns: readonly string[]): string[] {
  const needed = [...new Set(patterns)].filter(
    (one) => !patterns.some((other) => other !== one && patternCovers(other, one)),
  )
  return needed.sort((a, b) => Number(isPortalScope(a)) - Number(isPortalScope(b)))
}

/** The first address that a server can have; a private scheme is none. */
function callbackOf(uris: readonly string[]): string {
  const reachable = uris.filter((uri) => /^https?:/.test(uri))
  const free = reachable.find((uri) => !TAKEN.includes(pathOf(uri)))
  if (free) return free
  return reachable[0] ? `${new URL(reachable[0]).origin}/callback` : NOWHERE
}
