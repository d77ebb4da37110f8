import { z } from 'zod'
import type { Policy } from '../../access/policy'
import { useOf } from '../../access/unused'
import type { Op, Transaction } from '../../context/op'
import { errorMessage } from '../../i18n/error-message'
import type { Credential } from '../../oidc/client'
import {
  type AccessKeyRecord,
  findAccessKey,
  keyScopesOf,
  updateAccessKey,
} from '../../store/applications/access-keys'
import { type ApplicationRecord, updateApplication } from '../../store/applications/applications'
import { type HeldGrant, type Holder, listHeld, removeGrants } from '../../store/permissions/grants'
import { readUsage } from '../../store/permissions/usage'
import { requireApplication } from '../applications/applications'
import { type ChangeEntry, change } from '../authority/change'
import { type Call, operation, tagged } from '../http/operation'
import { notFound, Problem } from '../http/problem'
import { idSchema, iso, patternSchema } from '../http/schemas'
import { requireWritten } from '../http/version'
import { applicationGrantWire, toApplicationGrant } from '../permissions/grants'
import { daysSchema, heldBy, windowStart } from './reports'

/** Least privilege: a preview of grants that nobody used, and one change that removes them. */

/** The most scopes that an access key can list. */
const MAX_LINES = 100

const heldWire = applicationGrantWire.extend({
  createdAt: z.string(),
  young: z
    .boolean()
    .describe('True if granted within these days, so that it may not have been needed yet'),
})

const previewSchema = z.object({
  client: z.string(),
  application: z.object({ id: z.string(), name: z.string() }),
  since: z.string(),
  complete: z
    .boolean()
    .describe('True if all entries since then were read; otherwise nothing can be removed'),
  grants: z.array(heldWire).describe('Grants of which nothing was asked for'),
  scopes: z.array(z.string()).describe('Scopes of an access key that were never asked for'),
  narrowTo: z
    .array(z.string())
    .nullable()
    .describe('For an access key without scopes of its own: the scopes that it asked for'),
  kept: z
    .array(z.object({ pattern: z.string(), neverAsked: z.array(z.string()) }))
    .describe('Grants that were used in part: narrow them by hand'),
})

export type CleanUpPreview = z.infer<typeof previewSchema>

type Held = { grants: HeldGrant[]; scopes: readonly string[] }

type Unused = {
  since: Date
  complete: boolean
  grants: HeldGrant[]
  scopes: string[]
  narrowTo: string[] | null
  kept: { pattern: string; neverAsked: string[] }[]
}

async function requireCredential(op: Op, client: string): Promise<Found> {
  const { credentials, policy } = await op.snapshot({ clients: [client] })
  const credential = credentials.get(client)
  if (!credential) throw notFound('no_client', client)
  return { credential, policy }
}

type Found = { credential: Credential; policy: Policy }

function holderOf({ application, accessKey }: Credential): Holder {
  return accessKey ? { accessKeyId: accessKey.id } : { applicationId: application.id }
}

async function unusedBy(op: Op, { credential, policy }: Found, days: number): Promise<Unused> {
  const since = windowStart(op.now(), days)
  const clients = await clientsOf(op, credential)
  const { byClient, complete } = await op.read((db) =>
    readUsage(db, since, [credential.application.id]),
  )
  const asked = new Set(clients.flatMap((id) => [...(byClient.get(id)?.asked.keys() ?? [])]))
  const grants = await op.read((db) => listHeld(db, holderOf(credential)))
  const held = { grants, scopes: credential.accessKey?.scopes ?? [] }
  const narrowTo = narrowedTo(policy, credential, asked)
  return { since, complete, narrowTo, ...sortOut(policy, held, asked) }
}

/** Null if the key has its own scopes already, or if none or all of them were used. */
function narrowedTo(policy: Policy, credential: Credential, asked: ReadonlySet<string>) {
  if (credential.accessKey?.scopes !== null) return null
  const held = [...heldBy(policy, credential)].sort()
  const used = held.filter((item) => asked.has(item))
  const isShort = used.length > 0 && used.length <= MAX_LINES
  return isShort && used.length < held.length ? used : null
}

/** The access keys of an application use its grants too. */
async function clientsOf(
  op: Op,
  { clientId, application, accessKey }: Credential,
): Promise<string[]> {
  if (accessKey) return [clientId]
  const keys = await op.read((db) => keyScopesOf(db, [application.id]))
  return [clientId, ...keys.map(({ id }) => id)]
}

/** A deny gives nothing that could be used, so it always stays. */
function sortOut({ items }: Policy, { grants, scopes }: Held, asked: ReadonlySet<string>) {
  const allows = grants.filter(({ effect }) => effect === 'allow')
  const use = (pattern: string) => useOf(pattern, items.keys(), asked)
  const patterns = [...new Set([...allows.map(({ pattern }) => pattern), ...scopes])]
  return {
    grants: allows.filter(({ pattern }) => use(pattern).use === 'unused'),
    scopes: scopes.filter((pattern) => use(pattern).use === 'unused'),
    kept: patterns
      .map((pattern) => ({ pattern, ...use(pattern) }))
      .filter((one) => one.use === 'partly')
      .map(({ pattern, neverAsked }) => ({ pattern, neverAsked })),
  }
}

function toHeldWire(grant: HeldGrant, since: Date) {
  const { createdAt, effect } = grant
  const wire = { ...toApplicationGrant.back(grant), effect }
  return { ...wire, createdAt: iso(createdAt), young: createdAt > since }
}

function toPreview({ clientId, application }: Credential, unused: Unused): CleanUpPreview {
  const { since, complete, grants, scopes, narrowTo, kept } = unused
  return {
    client: clientId,
    application: { id: application.id, name: application.name },
    since: iso(since),
    complete,
    grants: grants.map((grant) => toHeldWire(grant, since)),
    scopes,
    narrowTo,
    kept,
  }
}

const bodySchema = z.strictObject({
  client: idSchema,
  days: daysSchema,
  grants: z.array(idSchema).max(1_000).default([]),
  scopes: z.array(patternSchema).max(MAX_LINES).default([]),
  narrowTo: z.array(patternSchema).min(1).max(MAX_LINES).nullable().default(null),
})

const takenSchema = z.object({
  grants: z.array(z.string()),
  scopes: z.array(z.string()),
  narrowTo: z.array(z.string()).nullable(),
})

type Chosen = z.infer<typeof bodySchema>

/** What was asked for since the preview is kept, and the caller gets a conflict. */
function requireUnused(unused: Unused, { grants, scopes, narrowTo }: Chosen): void {
  if (!unused.complete) {
    throw new Problem('conflict', errorMessage('clean_up_long'))
  }
  const ids = new Set(unused.grants.map(({ id }) => id))
  const lines = new Set(unused.scopes)
  const isNarrow = narrowTo === null || unused.narrowTo?.join(' ') === narrowTo.join(' ')
  const isUnused = grants.every((id) => ids.has(id)) && scopes.every((line) => lines.has(line))
  if (isNarrow && isUnused) return
  throw new Problem('conflict', errorMessage('clean_up_changed'))
}

type Owner = { application: ApplicationRecord; key: AccessKeyRecord | null }

async function requireOwner(op: Op, call: Call, credential: Credential): Promise<Owner> {
  const application = await requireApplication(op, call.caller, credential.application.id)
  const id = credential.accessKey?.id
  if (id === undefined) return { application, key: null }
  const key = await op.read((db) => findAccessKey(db, application.id, id))
  if (!key) throw notFound('no_access_key', id)
  return { application, key }
}

async function takeAway(
  tx: Transaction,
  { application, key }: Owner,
  holder: Holder,
  { grants, scopes, narrowTo }: Chosen,
  now: Date,
): Promise<void> {
  const gone = await removeGrants(tx, holder, grants)
  if (gone !== grants.length) requireWritten(0)
  if (!key) return requireWritten(await updateApplication(tx, application, {}, now))
  const left = key.scopes?.filter((line) => !scopes.includes(line)) ?? narrowTo
  requireWritten(await updateAccessKey(tx, key, { scopes: left }))
}

export const previewCleanUp = operation({
  id: 'previewCleanUp',
  method: 'GET',
  path: '/reports/least-privilege/clean-up',
  summary: 'Preview the grants of an application or access key that were never asked for',
  scope: 'permissions:explain',
  mayBeMissing: true,
  query: z.strictObject({ client: idSchema, days: daysSchema }),
  answers: { 200: previewSchema },
  async handle(op, call) {
    const found = await requireCredential(op, call.query.client)
    const unused = await unusedBy(op, found, call.query.days)
    return { status: 200, body: toPreview(found.credential, unused) }
  },
})

export const cleanUp = operation({
  id: 'cleanUp',
  method: 'POST',
  path: '/reports/least-privilege/clean-up',
  summary: 'Remove grants that were never asked for, as listed by a preview: all of them or none',
  scope: 'applications:write',
  mayBeMissing: true,
  body: bodySchema,
  example: { client: 'app_...', days: 30, grants: ['grn_...'] },
  answers: { 200: takenSchema },
  async handle(op, call) {
    const { client, days } = call.body
    const found = await requireCredential(op, client)
    const { credential } = found
    const owner = await requireOwner(op, call, credential)
    const unused = await unusedBy(op, found, days)
    requireUnused(unused, call.body)
    const { scopes, narrowTo } = call.body
    const chosen = { grants: [...new Set(call.body.grants)], scopes, narrowTo }
    const taken = unused.grants.filter(({ id }) => chosen.grants.includes(id))
    const entry: ChangeEntry = {
      event: 'application.cleaned_up',
      gives: [],
      kind: owner.key ? 'access_key' : 'application',
      id: owner.key?.id ?? owner.application.id,
      applicationId: owner.application.id,
      detail: {
        days,
        before: { grants: taken.map(toApplicationGrant.back), scopes: chosen.scopes },
        after: { grants: [], scopes: narrowTo ?? [] },
      },
    }
    await change(op, call, entry, (tx) =>
      takeAway(tx, owner, holderOf(credential), { ...call.body, ...chosen }, op.now()),
    )
    return { status: 200, body: chosen }
  },
})

export const cleanUpRoutes = tagged('Decisions', [previewCleanUp, cleanUp])
