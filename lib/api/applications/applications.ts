import { z } from 'zod'
import type { Privilege } from '../../access/authority'
import { withoutUndefined } from '../../base/without-undefined'
import type { Op } from '../../context/op'
import { hintOf, newId, newSecret } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import {
  ACCESS_TOKEN_TYPES,
  APPLICATION_KINDS,
  ASSERTION_ALGORITHMS,
  ASSERTION_AUDIENCES,
  ASSERTION_SECONDS,
  AUTH_METHODS,
  mapFlags,
  PKCE_SETTINGS,
  REGISTRATIONS,
  TOKEN_ALGORITHMS,
  type Weakenable,
  weakeningsOf,
} from '../../oidc/client'
import {
  type ApplicationFields,
  type ApplicationRecord,
  allowedOrigins,
  findApplication,
  insertApplication,
  listApplicationPage,
  removeApplication,
  updateApplication,
} from '../../store/applications/applications'
import { addSecret } from '../../store/applications/secrets'
import { findSpace } from '../../store/permissions/spaces'
import { type ChangeEntry, change, changeSeen } from '../authority/change'
import { requireNeverUsed } from '../authority/never-reused'
import { IMPERSONATION_PRIVILEGE, privilegesOfActingAs, unaskedBy } from '../authority/privileges'
import type { Caller } from '../http/caller'
import { operation, tagged } from '../http/operation'
import { listed, listQuery, pageSchema, searchedWordSchema } from '../http/page'
import { invalidField, notFound, Problem } from '../http/problem'
import {
  chosenClientId,
  httpsSchema,
  idSchema,
  iso,
  isYes,
  logoSchema,
  maxAgeSchema,
  nameSchema,
  scopeSchema,
  stampsWire,
  yesOrNo,
} from '../http/schemas'
import { requireSeen } from '../http/version'
import { claimMappingsSchema, requireMappable, requireMayMap } from './claim-mappings'
import { belongingAfter, privilegesOfBelonging, requireMayBelong } from './first-party'
import { publicKeysSchema } from './public-keys'
import { requireMayVerify, verificationAfter } from './publisher'
import { BY_KIND, DEFAULTS, opensIt, requireRegistrable, takesSecrets } from './rules'

const ASSERTION_MIN_SECONDS = 60

const urisSchema = z.array(z.string().max(2_000)).max(50)
const scopesSchema = z.array(scopeSchema).max(100)

const fieldShape = {
  name: nameSchema,
  publisher: nameSchema.nullable(),
  publisherVerified: z.boolean().describe('An admin checked who the publisher is'),
  logoUri: logoSchema
    .nullable()
    .describe('Shown on the consent page if it is a data: URI of a PNG, JPEG or WebP picture'),
  policyUri: httpsSchema.nullable(),
  tosUri: httpsSchema.nullable(),
  space: idSchema.nullable().describe('ID or key of a space'),
  redirectUris: urisSchema,
  postLogoutRedirectUris: urisSchema,
  backchannelLogoutUri: z.string().nullable(),
  initiateLoginUri: httpsSchema
    .nullable()
    .describe('Where its own sign-in starts; users open it from their applications'),
  origins: urisSchema
    .nullable()
    .describe(
      'Browser origins that may call the token endpoint: null for those of the redirect URIs, [] for none',
    ),
  grantTypes: z.array(z.string().max(100)).max(10),
  authMethods: z.array(z.enum(AUTH_METHODS)).max(AUTH_METHODS.length),
  jwks: publicKeysSchema.nullable(),
  jwksUri: z.string().nullable(),
  assertionAudience: z
    .enum(ASSERTION_AUDIENCES)
    .describe(
      'What `aud` of a client assertion may be besides the issuer; `compatible`: the token endpoint, also in a list of one, for up to an hour, whatever the other two settings say',
    ),
  assertionSeconds: z
    .int()
    .min(ASSERTION_MIN_SECONDS)
    .max(ASSERTION_SECONDS.longest)
    .describe('The longest life of a client assertion'),
  pkce: z
    .enum(PKCE_SETTINGS)
    .describe(
      '`learned`: required once the application has used PKCE; public clients need `required`',
    ),
  assertionAlg: z
    .enum(ASSERTION_ALGORITHMS)
    .nullable()
    .describe('The only algorithm of its client assertions; null for any'),
  defaultMaxAge: maxAgeSchema
    .nullable()
    .describe('Seconds since the sign-in, where a request has no `max_age`; null for any'),
  ...mapFlags(() => z.boolean()),
  requiredScopes: scopesSchema,
  defaultScopes: scopesSchema,
  preapprovedScopes: scopesSchema.describe(
    'Permissions that users of a first-party application are not asked about',
  ),
  idTokenAlg: z.enum(TOKEN_ALGORITHMS),
  userinfoAlg: z
    .enum(TOKEN_ALGORITHMS)
    .nullable()
    .describe('Signs userinfo (OpenID Connect Core §5.3.2); null for plain JSON'),
  accessTokenAlg: z.enum(TOKEN_ALGORITHMS),
  accessTokenType: z.enum(ACCESS_TOKEN_TYPES).describe('`typ` of access tokens (RFC 9068 §2.1)'),
  claimMappings: claimMappingsSchema,
  scopeLimit: scopesSchema
    .nullable()
    .describe('The only scopes that it can get, whatever it holds; null for no limit'),
  enabled: z.boolean(),
  owner: idSchema.nullable().describe('The application owner: the user who manages it'),
}

const kindSchema = z.enum(APPLICATION_KINDS)
const registrationSchema = z
  .enum(REGISTRATIONS)
  .describe('Who made it: an admin, the client itself (RFC 7591), or a client ID metadata document')
const changeSchema = z.strictObject(fieldShape).partial()
const createSchema = changeSchema.extend({
  kind: kindSchema,
  name: nameSchema,
  id: chosenClientId.optional(),
  withSecret: z.boolean().default(true).describe('False: create no first secret'),
})

const applicationSchema = z.object({
  id: z.string(),
  kind: kindSchema,
  ...fieldShape,
  registration: registrationSchema,
  pkceLearned: z.boolean().describe('The setting is `learned`, and it has used PKCE'),
  allowedOrigins: z.array(z.string()).describe('What `origins` amounts to'),
  ...stampsWire,
})
export type ApplicationWire = z.infer<typeof applicationSchema>
const createdSchema = applicationSchema.extend({
  secret: z.string().optional().describe('Shown once; null for a public client'),
})

export type CreatedApplication = z.infer<typeof createdSchema>

function toWire({ spaceId, ownerId, disabledAt, ...record }: ApplicationRecord) {
  const { version, createdAt, updatedAt, ...fields } = record
  return {
    ...fields,
    allowedOrigins: allowedOrigins(record),
    space: spaceId,
    owner: ownerId,
    enabled: disabledAt === null,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

// ---------------------------------------------------------------- whose they are

export function ownerOnly(caller: Caller): string | null {
  return caller.ownOnly ? caller.id : null
}

/** An app manager cannot tell that other applications exist (attack N2). */
export async function requireApplication(
  op: Op,
  caller: Caller,
  id: string,
): Promise<ApplicationRecord> {
  const application = await op.read((db) => findApplication(db, id, ownerOnly(caller)))
  if (!application) throw notFound('no_application', id)
  return application
}

/** What a credential of the application would give. */
export async function actingAs(
  op: Op,
  application: ApplicationRecord,
  scopes: readonly string[] | null = null,
): Promise<Privilege[]> {
  const { id, ownerId } = application
  const { policy } = await op.latestSnapshot({ clients: [id] })
  const acting = privilegesOfActingAs(policy, { applicationId: id, ownerId, scopes }, op.now())
  const unasked = unaskedBy(policy, application)
  return unasked ? [...acting, { gives: 'application', grants: [], ownerId, unasked }] : acting
}

// ---------------------------------------------------------------- what is asked for

type Changes = z.infer<typeof changeSchema>

async function fieldsOf(
  op: Op,
  caller: Caller,
  { space, owner, enabled, ...rest }: Changes,
  disabledAt: Date | null,
): Promise<Partial<ApplicationFields>> {
  return {
    // Without a secret it must use PKCE (RFC 9700 §2.1.1).
    ...(rest.authMethods?.includes('none') && { pkce: 'required' }),
    ...withoutUndefined(rest),
    ...(space !== undefined && { spaceId: await spaceIdOf(op, space) }),
    ...(owner !== undefined && { ownerId: await ownerIdOf(op, caller, owner) }),
    ...(enabled !== undefined && { disabledAt: enabled ? null : (disabledAt ?? op.now()) }),
  }
}

async function spaceIdOf(op: Op, name: string | null): Promise<string | null> {
  if (name === null) return null
  const space = await op.read((db) => findSpace(db, name))
  if (!space) throw invalidField('/space', errorMessage('unknown_space'))
  return space.id
}

async function ownerIdOf(op: Op, caller: Caller, name: string | null): Promise<string | null> {
  if (caller.ownOnly && name !== caller.id) {
    throw new Problem('forbidden', errorMessage('owner_forbidden'))
  }
  if (name === null) return null
  const id = await op.users.idOf(name)
  if (id === null) throw invalidField('/owner', errorMessage('unknown_user'))
  return id
}

/** What the change makes less safe, for the audit log. */
function weakened(before: Weakenable, after: Weakenable) {
  const known = weakeningsOf(before)
  const weakens = weakeningsOf(after).filter((one) => !known.includes(one))
  return weakens.length > 0 ? { weakens } : {}
}

// ---------------------------------------------------------------- routes

const FIRST_SECRET = 'first'

const filterShape = {
  kind: kindSchema.optional(),
  enabled: yesOrNo.optional(),
  space: idSchema.optional(),
  owner: idSchema.optional(),
  registration: registrationSchema.optional(),
}
type Filters = { [K in keyof typeof filterShape]?: z.infer<(typeof filterShape)[K]> }

function filtersOf(caller: Caller, { kind, enabled, space, owner, registration }: Filters) {
  const exact = { kind, spaceId: space, ownerId: owner, registration }
  return { ...exact, enabled: isYes(enabled), seenBy: ownerOnly(caller) }
}

export const listApplications = operation({
  id: 'listApplications',
  method: 'GET',
  path: '/applications',
  summary: 'List applications',
  scope: 'applications:read',
  query: listQuery(['name', 'createdAt', 'updatedAt'], { ...filterShape, q: searchedWordSchema }),
  answers: { 200: pageSchema(applicationSchema) },
  handle: (op, { caller, query }) =>
    listed(
      op,
      query,
      { name: 'applications', filters: filtersOf(caller, query), list: listApplicationPage },
      toWire,
    ),
})

export const createApplication = operation({
  id: 'createApplication',
  method: 'POST',
  path: '/applications',
  summary: 'Create an application; only this answer contains its secret',
  scope: 'applications:write',
  body: createSchema,
  example: { kind: 'web', name: 'The shop', redirectUris: ['https://shop.example/callback'] },
  answers: { 201: createdSchema },
  async handle(op, call) {
    const { kind, name, id = newId('app'), withSecret, ...rest } = call.body
    const stamps = { createdAt: op.now(), updatedAt: op.now() }
    const application = {
      ...DEFAULTS,
      ...BY_KIND[kind],
      ownerId: ownerOnly(call.caller),
      ...(await fieldsOf(op, call.caller, rest, null)),
      id,
      kind,
      name,
      ...stamps,
    }
    requireMayVerify(call.caller, null, application)
    const { policy } = await op.latestSnapshot()
    requireMayBelong(policy, application)
    requireMayMap(call.caller, [], rest.claimMappings)
    await requireMappable(op, application.claimMappings)
    requireRegistrable(op, { ...application, version: 1 })
    const secret = withSecret && takesSecrets(application) ? newSecret('ghcs') : null
    const entry: ChangeEntry = {
      event: 'application.created',
      gives: [
        ...(application.mayImpersonate ? IMPERSONATION_PRIVILEGE : []),
        ...privilegesOfBelonging(policy, application),
      ],
      kind: 'application',
      id,
      applicationId: id,
      detail: { after: { ...withoutUndefined({ id: call.body.id }), kind, name, ...rest } },
    }
    const created = await change(op, call, entry, async (tx) => {
      await requireNeverUsed(tx, '/id', call.body.id)
      const record = await insertApplication(tx, application)
      if (secret !== null) await addSecret(tx, firstSecret(op, id, secret))
      return record
    })
    const body = { ...toWire(created), ...(secret !== null && { secret }) }
    return { status: 201, body, version: created.version }
  },
})

export const getApplication = operation({
  id: 'getApplication',
  method: 'GET',
  path: '/applications/{id}',
  summary: 'Read an application',
  scope: 'applications:read',
  answers: { 200: applicationSchema },
  async handle(op, { caller, params }) {
    const application = await requireApplication(op, caller, params.id)
    return { status: 200, body: toWire(application), version: application.version }
  },
})

export const changeApplication = operation({
  id: 'changeApplication',
  method: 'PATCH',
  path: '/applications/{id}',
  summary: 'Change an application',
  scope: 'applications:write',
  body: changeSchema,
  example: { name: 'The new shop', enabled: false },
  answers: { 200: applicationSchema },
  async handle(op, call) {
    const before = await requireApplication(op, call.caller, call.params.id)
    requireSeen(call.ifMatch, before, toWire(before))
    const asked = await fieldsOf(op, call.caller, call.body, before.disabledAt)
    requireMayVerify(call.caller, before, { ...before, ...asked })
    const { policy } = await op.latestSnapshot()
    const fields = {
      ...asked,
      ...verificationAfter(call.caller, before, asked),
      ...belongingAfter(call.caller, before, asked),
    }
    const after = {
      ...before,
      ...fields,
      pkceLearned: before.pkceLearned && (fields.pkce ?? 'learned') === 'learned',
      updatedAt: op.now(),
      version: before.version + 1,
    }
    requireMayBelong(policy, after, before)
    requireMayMap(call.caller, before.claimMappings, call.body.claimMappings)
    await requireMappable(op, call.body.claimMappings ?? [])
    requireRegistrable(op, after, before)
    const entry: ChangeEntry = {
      event: 'application.changed',
      gives: [
        ...(opensIt(before, after) ? await actingAs(op, before) : []),
        ...(after.mayImpersonate && !before.mayImpersonate ? IMPERSONATION_PRIVILEGE : []),
        ...privilegesOfBelonging(policy, after, before),
      ],
      kind: 'application',
      id: before.id,
      applicationId: before.id,
      detail: { before: toWire(before), after: call.body, ...weakened(before, after) },
    }
    await changeSeen(op, call, entry, (tx) =>
      updateApplication(tx, before, fields, after.updatedAt),
    )
    return { status: 200, body: toWire(after), version: after.version }
  },
})

export const deleteApplication = operation({
  id: 'deleteApplication',
  method: 'DELETE',
  path: '/applications/{id}',
  summary: 'Delete an application with its secrets, access keys, grants and tokens',
  scope: 'applications:write',
  answers: { 204: null },
  async handle(op, call) {
    const before = await requireApplication(op, call.caller, call.params.id)
    requireSeen(call.ifMatch, before, toWire(before))
    const entry: ChangeEntry = {
      event: 'application.deleted',
      gives: [],
      kind: 'application',
      id: before.id,
      applicationId: before.id,
      detail: { before: toWire(before) },
    }
    await changeSeen(op, call, entry, (tx) => removeApplication(tx, before, op.now()))
    return { status: 204 }
  },
})

export const applicationRoutes = tagged('Applications', [
  listApplications,
  createApplication,
  getApplication,
  changeApplication,
  deleteApplication,
])

function firstSecret(op: Op, applicationId: string, secret: string) {
  return {
    id: newId('sec'),
    applicationId,
    name: FIRST_SECRET,
    secretHash: op.hashSecret(secret),
    hint: hintOf(secret),
    createdAt: op.now(),
    expiresAt: null,
  }
}
