import { isPortalScope, PORTAL_SCOPE_NAMES } from '../../../lib/access/portal-api'
import type { AnyOperation } from '../../../lib/api/http/operation'
import { toSchema } from '../../../lib/api/openapi/openapi'
import { TOKEN_EXCHANGE } from '../../../lib/oidc/grants/token-exchange'
import { fromSchema, type Schema } from '../fuzz/from-schema'
import type { Samples } from '../fuzz/samples'
import type { Grant } from './model-facts'
import type { Names } from './names'
import { FUTURE, NEVER_MET, PAST } from './world'

/**
 * Bodies that mean something: the shape is the schema's, what stands in it is what a member of that
 * name is about, taken from the world and from what the attacker has.
 */

export type Choice = {
  names: Names
  samples: Samples
  /** Of the call that it is for: makes what is new different from all that is there. */
  serial: number
  /** Of a key whose private half the attacker has. */
  publicKey: object
  /** What the caller holds: best given on. */
  held: readonly string[]
  /** What the application that it is about was granted, as anybody who may see it reads it. */
  current: readonly Grant[]
}

/** Null where the route takes none. */
export function bodyFor(route: AnyOperation, choice: Choice): unknown {
  if (!route.body) return undefined
  const special = SPECIAL[route.id]
  if (special && choice.samples.chance(0.8)) return special(choice)
  return meant(schemaOf(route.body), '', choice)
}

const schemas = new WeakMap<object, Schema>()

function schemaOf(shape: NonNullable<AnyOperation['body']>): Schema {
  const known = schemas.get(shape) ?? (toSchema(shape, 'input') as Schema)
  schemas.set(shape, known)
  return known
}

export function queryFor(route: AnyOperation, choice: Choice): string {
  if (!route.query) return ''
  const { properties = {}, required = [] } = schemaOf(route.query)
  const pairs = required.map((name) => `${name}=${meant(properties[name] ?? {}, name, choice)}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

// ---------------------------------------------------------------- by the schema

const MAX_OPTIONAL = 3

function meant(schema: Schema, name: string, choice: Choice, root = schema): unknown {
  const hint = Object.hasOwn(HINTS, name) ? HINTS[name] : undefined
  if (hint) return hint(choice, schema)
  const { samples } = choice
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return meant(samples.pick(choices) ?? {}, name, choice, root)
  if (schema.$ref !== undefined) return meant(referred(schema.$ref, root), name, choice, root)
  if (schema.type === 'object' && schema.properties) return objectFor(schema, choice, root)
  if (schema.type === 'array') {
    const length = Math.max(schema.minItems ?? 0, samples.at(3))
    const one = singular(name)
    return Array.from({ length }, () => meant(schema.items ?? {}, one, choice, root))
  }
  return samples.one(fromSchema(schema, root))
}

function referred(ref: string, root: Schema): Schema {
  return root.$defs?.[ref.replace('#/$defs/', '')] ?? {}
}

function objectFor(schema: Schema, choice: Choice, root: Schema): object {
  const { properties = {}, required = [] } = schema
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const count = Math.min(optional.length, 1 + choice.samples.at(MAX_OPTIONAL))
  const telling = optional.filter((name) => POWER.has(name))
  const some = Array.from({ length: count }, () => {
    const from = telling.length > 0 && choice.samples.chance(0.5) ? telling : optional
    return choice.samples.pick(from) ?? ''
  })
  const chosen = new Set([...required, ...some.filter((name) => !LEFT_OUT.has(name))])
  return Object.fromEntries(
    [...chosen].map((name) => [name, meant(properties[name] ?? {}, name, choice, root)]),
  )
}

/** They decide who somebody is and what they may do. */
const POWER = new Set([
  ...['adminRole', 'email', 'enabled', 'redirectUris', 'jwks', 'authMethods', 'owner', 'owners'],
  ...['scopes', 'openToAppManagers', 'permissions', 'parents', 'effect', 'condition'],
  ...['mayImpersonate', 'grantTypes', 'introspectors', 'attributes', 'username'],
])

/** Pictures and words give nobody any power, and secrets are best made by the portal. */
const LEFT_OUT = new Set(['logoUri', 'secret', 'secretKey', 'profile', 'policyUri', 'tosUri'])

function singular(name: string): string {
  return Object.hasOwn(HINTS, `${name}[]`) ? `${name}[]` : name.replace(/s$/, '')
}

// ---------------------------------------------------------------- by the name of a member

type Hint = (choice: Choice, schema: Schema) => unknown

function any(kind: string): Hint {
  return ({ names, samples }) => pickName(names, kind, samples) ?? 'none'
}

const ITS_OWN = /\/(me|own|#)/

/** What is the attacker's own, or made by it, is tried more often. */
export function pickName(names: Names, kind: string, samples: Samples): string | undefined {
  const all = names.of(kind)
  const own = all.filter((name) => ITS_OWN.test(name))
  return samples.pick(own.length > 0 && samples.chance(0.4) ? own : all)
}

function oneOf(...values: unknown[]): Hint {
  return ({ samples }) => samples.pick(values)
}

function fresh(make: (word: string) => unknown): Hint {
  return ({ serial, samples }) => make(`n${serial}${samples.chance(0.1) ? 'b' : ''}`)
}

const scope: Hint = (choice) => {
  const { samples, held } = choice
  const own = held.filter(isPortalScope)
  if (own.length > 0 && samples.chance(0.3)) return samples.pick(own)
  if (samples.chance(0.45)) return any('items')(choice, {})
  if (samples.chance(0.25)) return `${any('prefixes')(choice, {})}:*`
  return samples.pick(PORTAL_SCOPE_NAMES)
}

const subject: Hint = (choice) => {
  const types = { user: 'users', group: 'groups', client: 'applications' }
  const [type, kind] = choice.samples.pick(Object.entries(types)) ?? ['user', 'users']
  return { type, id: any(kind)(choice, {}) }
}

const client: Hint = (choice) =>
  any(choice.samples.chance(0.7) ? 'applications' : 'keys')(choice, {})

const owners: Hint = (choice, { items }) => {
  const kind = choice.samples.chance(0.5) ? 'user' : 'group'
  const id = any(`${kind}s`)(choice, {})
  const isObject = items?.type === 'object' || items?.properties !== undefined
  return [isObject ? { type: kind, id } : id]
}

const role: Hint = (choice, { enum: words }) =>
  choice.samples.pick(words ?? []) ?? any('roles')(choice, {})

const HINTS: Record<string, Hint> = {
  pattern: scope,
  scopes: (choice, schema) =>
    choice.samples.chance(0.4) ? null : [scope(choice, schema), scope(choice, schema)],
  'requiredScopes[]': scope,
  'defaultScopes[]': scope,
  scope,
  permission: any('items'),
  adminRole: oneOf('owner', 'owner', 'admin', 'auditor', 'app_manager', null),
  owner: ({ names, samples }) => samples.pick([...names.of('users'), null]),
  owners,
  openToAppManagers: oneOf(true, false),
  mayImpersonate: oneOf(true, false),
  introspectors: (choice) => [any('applications')(choice, {})],
  user: any('users'),
  'users[]': any('users'),
  group: any('groups'),
  role,
  parents: (choice) => (choice.samples.chance(0.5) ? [] : [any('roles')(choice, {})]),
  space: ({ names, samples }) => samples.pick([...names.of('spaces'), null]),
  resource: any('resources'),
  client,
  application: any('applications'),
  subject,
  instance: oneOf(null),
  email: fresh((word) => `${word}@<spaces/key>.evil.example`),
  username: fresh((word) => `${word}-<spaces/key>`),
  name: fresh((word) => `name ${word}`),
  id: fresh((word) => `app-${word}-<spaces/key>`),
  accessKey: fresh((word) => `ak_${word}_<spaces/key>`),
  key: (choice, { pattern }) =>
    pattern?.startsWith('^[a-z0-9]')
      ? fresh((word) => `${word}-<spaces/key>`)(choice, {})
      : fresh((word) => `${any('prefixes')(choice, {})}:${word}`)(choice, {}),
  prefix: fresh((word) => `${word}-<spaces/key>`),
  audience: fresh((word) => `https://${word}.<spaces/key>.example`),
  redirectUris: oneOf(['<evil/callback>']),
  postLogoutRedirectUris: oneOf(['<evil/callback>']),
  origins: oneOf(['<evil/origin>'], []),
  backchannelLogoutUri: oneOf('<evil/hook>', null),
  jwksUri: oneOf(null),
  jwks: ({ publicKey }) => ({ keys: [publicKey] }),
  grantTypes: oneOf(
    ['authorization_code', 'refresh_token'],
    ['client_credentials'],
    ['authorization_code', 'client_credentials'],
    ['client_credentials', TOKEN_EXCHANGE],
    ['authorization_code', TOKEN_EXCHANGE],
  ),
  authMethods: oneOf(
    ['client_secret_basic', 'client_secret_post'],
    ['none'],
    ['private_key_jwt'],
    ['client_secret_post', 'private_key_jwt'],
  ),
  pkce: oneOf('required', 'learned', 'not_required'),
  effect: oneOf('allow', 'allow', 'allow', 'deny'),
  condition: oneOf(null, null, null, null, NEVER_MET),
  validFrom: oneOf(null, null, null, PAST, FUTURE),
  validUntil: oneOf(null, null, null, FUTURE),
  expiresAt: oneOf(null, null, FUTURE),
  enabled: oneOf(true, true, false),
  returnLink: oneOf(true, true, false),
  dryRun: oneOf(false),
  withSecret: oneOf(true),
  graceSeconds: oneOf(60),
  tokenSeconds: oneOf(600),
  url: oneOf('<evil/hook>'),
  events: oneOf(['*'], ['user.created']),
  attributes: (choice) =>
    choice.samples.pick([{ department: 'sales' }, {}, { manager: any('users')(choice, {}) }]),
  locale: oneOf('en', null),
  server: oneOf('<evil/mail>'),
  from: oneOf('Evil <evil@evil.example>'),
  password: oneOf(null),
  issuer: oneOf('<evil/issuer>'),
  clientId: oneOf('portal'),
  publisher: oneOf(null),
  // Whoever had no second factor could not go on, which is another question.
  adminSecondFactor: oneOf(false),
  clientRequestsPerMinute: oneOf(1_000_000),
  context: oneOf({}),
}

// ---------------------------------------------------------------- by the route

const roleWith = (choice: Choice) => ({
  pattern: scope(choice, {}),
  ...(choice.samples.chance(0.3) && { condition: NEVER_MET }),
})

function granted({ samples, names }: Choice, pattern: unknown): object {
  return {
    pattern,
    ...(samples.chance(0.25) && { exchangeFrom: samples.pick(['*', ...names.of('applications')]) }),
    ...(samples.chance(0.2) && { condition: NEVER_MET }),
    ...(samples.chance(0.2) && { validUntil: FUTURE }),
    ...(samples.chance(0.1) && { effect: 'deny' }),
  }
}

/** As it stands, or with one of its terms left out or put in. */
function varied({ samples }: Choice, grant: Grant): object {
  const { pattern, effect, condition, validFrom, validUntil } = grant
  const exchangeFrom = samples.chance(0.1) ? '*' : grant.exchangeFrom
  const terms = { exchangeFrom, effect, condition, validFrom, validUntil }
  const limits = Object.entries(terms).filter(([, value]) => value !== null && value !== 'allow')
  const [left] = samples.chance(0.5) ? (samples.pick(limits) ?? []) : []
  return Object.fromEntries(Object.entries({ pattern, ...terms }).filter(([name]) => name !== left))
}

const SPECIAL: Record<string, (choice: Choice) => unknown> = {
  importModel: (choice) => ({
    resources: ['closed', 'open', 'kept'].map((label) => ({
      prefix: `<prefixes/${label}>`,
      audience: `https://<prefixes/${label}>.example`,
      name: label,
      permissions: ['plain', 'sensitive', 'ranked'].map((word) => ({
        key: `<items/${label}:${word}>`,
        ...(choice.samples.chance(0.8) && { sensitive: word === 'sensitive' }),
        ...(choice.samples.chance(0.8) && { needsRole: word === 'ranked' }),
      })),
    })),
    roles: ['clerk', 'boss', 'service', 'engine'].map((label) => ({
      key: label,
      name: label,
      type: ['clerk', 'boss'].includes(label) ? 'user' : 'service',
      permissions: [{ pattern: any('items')(choice, {}) }],
    })),
  }),
  importUsers: (choice) => {
    const role = choice.samples.pick(['owner', 'admin', 'auditor', 'app_manager', ''])
    return { csv: `name,email,adminRole\nEve,e${choice.serial}@<spaces/key>.evil.example,${role}` }
  },
  putProvider: () => ({
    kind: 'oidc',
    name: 'Evil',
    issuer: '<evil/issuer>',
    clientId: 'portal',
    clientSecret: 'the-secret-of-the-stand-in',
  }),
  changeSettings: (choice) =>
    choice.samples.pick([
      { mail: { server: '<evil/mail>', from: 'Evil <evil@evil.example>' } },
      { security: { sessionIdleMinutes: 60 } },
      { security: { impersonation: 'full', impersonators: 'admins' } },
      { clientRegistration: { mode: choice.samples.pick(['open', 'token', 'off']) } },
      { clientRegistration: { scopes: ['openid', scope(choice, {})], documents: true } },
    ]),
  createInitialToken: () => ({ name: 'partner', mostUses: 10 }),
  replaceApplicationGrants: (choice) => {
    const { samples, current } = choice
    const kept = samples.chance(0.5) ? current : []
    const added = kept.length > 0 && samples.chance(0.5) ? 0 : 1 + samples.at(3)
    const some = Array.from({ length: added }, () => granted(choice, scope(choice, {})))
    return { grants: [...kept.map((grant) => varied(choice, grant)), ...some] }
  },
  replaceRolePermissions: (choice) => ({ permissions: [roleWith(choice), roleWith(choice)] }),
  createRequestRule: (choice) => {
    const label = choice.samples.pick(['closed', 'open', 'kept'])
    return {
      api: `<resources/${label}>`,
      name: `rule ${choice.serial}`,
      maxSeconds: 3600,
      patterns: [`<items/${label}:ranked>`],
      stages: [
        {
          approvers: [1, 2].map(() => ({ type: 'user', id: any('users')(choice, {}) })),
          needed: 1,
        },
      ],
      autoApprove: choice.samples.pick([null, null, 'true']),
    }
  },
  inviteUser: () => ({ returnLink: true }),
}
