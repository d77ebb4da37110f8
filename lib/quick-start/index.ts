import { patternCovers } from '../access/pattern'
import { isPortalScope } from '../access/portal-api'
import type { Application, AuthMethod } from '../oidc/client'
import { templates } from './compiled'
import type { Guide } from './guide'
import { render, type Values } from './render'
import { SAMPLES, type Sample } from './samples'
import { type OfApplication, valuesOf, valuesOfApi } from './values'

export type { Guide } from './guide'

export type WrittenGuide = { id: string; guide: Guide }

type About = Pick<Application, 'id' | 'kind' | 'redirectUris' | 'postLogoutRedirectUris'> & {
  /** How it authenticates; by default with a secret, if it has one. */
  authMethods?: readonly AuthMethod[]
  /** The scopes that it may ask for. */
  scopes: readonly string[]
}

const SIGN_IN = ['openid', 'profile', 'email']
const MAX_SCOPES = 4
/** Beside the portal, which is at 3000 on a machine of one's own. */
const NOWHERE = 'http://localhost:3001/callback'
/** The samples have pages of their own there. */
const TAKEN = ['/', '/login']
/** Samples that can sign with a key of their own, by the kind of application. */
const BY_KEY: Partial<Record<Application['kind'], string>> = { web: 'express', machine: 'node' }

export function guidesFor(portal: { issuer: string; origin: string }, app: About): WrittenGuide[] {
  const own = app.scopes.slice(0, MAX_SCOPES)
  const values = {
    issuer: portal.issuer,
    origin: portal.origin,
    kind: app.kind,
    clientId: app.id,
    redirectUri: callbackOf(app.redirectUris),
    redirectUris: app.redirectUris,
    postLogoutUri: app.postLogoutRedirectUris[0] ?? null,
    scopes: app.kind === 'machine' ? own : [...SIGN_IN, ...own],
    byKey: isByKey(app.authMethods),
  }
  const only = values.byKey ? BY_KEY[app.kind] : undefined
  return Object.entries(SAMPLES[app.kind])
    .filter(([id]) => only === undefined || id === only)
    .map(([id, sample]) => ({ id, guide: writtenFor(values, `${app.kind}/${id}`, sample) }))
}

function writtenFor(app: OfApplication, folder: string, sample: Sample): Guide {
  const redirectUri = redirectOf(sample, app)
  const values = valuesOf(app, redirectUri)
  const guide = written(folder, sample, values)
  if (!sample.callback) return guide
  const { origin } = new URL(redirectUri)
  return {
    ...guide,
    open: guide.open ?? `${origin}/`,
    redirectUri,
    origin: sample.inBrowser ? origin : null,
  }
}

/** Of a product, the registered address with its path, else one beside the first. */
function redirectOf({ callback }: Sample, { redirectUri, redirectUris }: OfApplication): string {
  if (!callback || callback === 'registered') return redirectUri
  const registered = redirectUris.find((uri) => uri.endsWith(callback))
  return registered ?? `${new URL(redirectUri).origin}${callback}`
}

function written(folder: string, sample: Sample, values: Values): Guide {
  const own = Object.entries(sample.values ?? {})
  const all = {
    ...values,
    ...Object.fromEntries(own.map(([name, text]) => [name, render(text, values, templateOf)])),
  }
  const line = (text = '') => render(text, all, templateOf) || null
  return {
    label: sample.label,
    settings: line(sample.settings),
    install: line(sample.install),
    files: sample.files.map((name) => ({
      name,
      text: render(templateOf(`${sample.folder ?? folder}/${name}`), all, templateOf),
    })),
    run: render(sample.run, all, templateOf),
    open: line(sample.open),
    redirectUri: sample.redirectUri ?? null,
    origin: null,
    needs: sample.needs ?? [],
    tested: sample.tested ?? true,
  }
}

function templateOf(file: string): string {
  const template = templates[file]
  if (template === undefined) throw new Error(`there is no template ${file}`)
  return template
}

/** Only with a key: where a secret works too, a secret is simpler to begin with. */
export function isByKey(methods: readonly AuthMethod[] = []): boolean {
  return methods.length > 0 && methods.every((method) => method === 'private_key_jwt')
}

type Permission = { key: string; userBound: boolean; needsRole: boolean }
type AboutApi = { audience: string; prefix: string; permissions: readonly Permission[] }

export function guidesForApi(issuer: string, api: AboutApi): WrittenGuide[] {
  const scope = easiest(api.permissions) ?? `${api.prefix}:read`
  const values = valuesOfApi({ issuer, audience: api.audience, scope })
  return Object.entries(SAMPLES.api).map(([id, sample]) => ({
    id,
    guide: written(`api/${id}`, sample, values),
  }))
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
  const free = reachable.find((uri) => !TAKEN.includes(new URL(uri).pathname))
  if (free) return free
  return reachable[0] ? `${new URL(reachable[0]).origin}/callback` : NOWHERE
}
