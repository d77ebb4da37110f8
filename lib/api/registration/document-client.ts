import type { Incoming } from '../../base/http'
import type { Op } from '../../context/op'
import { countAttempt, networkLimit } from '../../limits/attempts'
import type { Asked } from '../../oidc/authorize'
import { slowDown } from '../../oidc/client-auth'
import type { AuditEvent } from '../../oidc/provider'
import { isRegistered } from '../../oidc/target'
import {
  type ApplicationRecord,
  insertApplication,
  removeApplication,
  updateApplication,
} from '../../store/applications'
import {
  countRegistered,
  findDocumentClient,
  insertRegistration,
  saveFreshUntil,
  saveMetadata,
} from '../../store/client-registrations'
import type { Transaction } from '../../store/connection'
import { isUniqueViolation } from '../../store/unique'
import { newFields, permissionsIn, type RegistrationPolicy, requireSound } from './application'
import { type Fetched, fetchDocument, refused, requireAddress } from './document'
import { keptOf } from './information'
import { full, grantPermissions, told } from './register'

/**
 * The application of a metadata document: a row like any other, made by the first authorization
 * request that its document allows, read again when the document is no longer fresh.
 */

const MINUTE_MS = 60_000
const FETCHES_FROM_NETWORK = 30
const FETCHES_OF_HOST = 30

export async function ensureDocumentClient(
  op: Op,
  incoming: Incoming,
  { clientId, redirectUri }: Asked,
): Promise<void> {
  const { clientRegistration } = await op.settings.current()
  const url = requireAddress(op, clientRegistration, clientId)
  const policy = { ...clientRegistration, ownHost: url.host }
  const known = await op.read((db) => findDocumentClient(db, clientId))
  if (known && (known.freshUntil ?? NEVER) > op.now()) return
  await requireFewFetches(op, incoming, url)
  const fetched = await fetchDocument(op, policy, clientId)
  const made = applicationOf(op, policy, fetched, clientId)
  if (known) return renew(op, incoming, known.application, made, fetched)
  requireRedirect(made, redirectUri)
  await save(op, incoming, made, fetched, policy)
}

const NEVER = new Date(0)

/** The portal must be no tool against others: few requests for one caller, and to one host. */
async function requireFewFetches(op: Op, { ip }: Incoming, { host }: URL): Promise<void> {
  const ofHost = { most: FETCHES_OF_HOST, windowMs: MINUTE_MS }
  const wait = await countAttempt(op, [
    networkLimit(op, 'client-document', ip, FETCHES_FROM_NETWORK),
    { key: `client-document:host:${op.hashSecret(host)}`, ...ofHost },
  ])
  if (wait > 0) throw slowDown(wait)
}

function applicationOf(
  op: Op,
  policy: RegistrationPolicy,
  { sent }: Fetched,
  id: string,
): ApplicationRecord {
  const stamps = { createdAt: op.now(), updatedAt: op.now(), version: 1 }
  const registration = 'metadata_document'
  const application = { ...newFields(op, policy, sent), id, registration, ...stamps } as const
  requireSound(op, application)
  return application
}

/** Nothing is stored for a request that would be refused at the trust line. */
function requireRedirect(application: ApplicationRecord, redirectUri: string | undefined): void {
  const credential = { application: { ...application, enabled: true } }
  if (redirectUri !== undefined && isRegistered(credential, redirectUri)) return
  throw refused('redirect_uri is not in the metadata document of the application')
}

async function save(
  op: Op,
  incoming: Incoming,
  application: ApplicationRecord,
  fetched: Fetched,
  policy: RegistrationPolicy,
): Promise<void> {
  const { id } = application
  const { policy: model } = await op.snapshot()
  const permissions = permissionsIn(model, application.scopeLimit ?? [])
  const work = async (tx: Transaction, audit: (event: AuditEvent) => void) => {
    if ((await countRegistered(tx, 'metadata_document')) >= policy.most) throw full()
    await insertAll(op, tx, application, fetched, permissions)
    audit(entry(incoming, 'registration.created', id, told(application)))
  }
  try {
    await op.changePolicy(work, [{ kind: 'application', id }])
  } catch (error) {
    // Another request of the same moment made it.
    if (!isUniqueViolation(error)) throw error
  }
}

async function insertAll(
  op: Op,
  tx: Transaction,
  { version: _first, ...application }: ApplicationRecord,
  { sent, freshMs }: Fetched,
  permissions: string[],
): Promise<void> {
  await insertApplication(tx, application)
  await grantPermissions(op, tx, application.id, permissions)
  const now = op.now()
  await insertRegistration(tx, {
    ...{ applicationId: application.id, tokenHash: null, initialTokenId: null },
    ...{ metadata: keptOf(sent), createdAt: now, lastUsedAt: now },
    freshUntil: new Date(now.getTime() + freshMs),
  })
}

// ---------------------------------------------------------------- when it is no longer fresh

/**
 * What an admin changed stays, and scopes are never widened. A client of another kind is another
 * client: what users said about the old one does not count for it.
 */
async function renew(
  op: Op,
  incoming: Incoming,
  before: ApplicationRecord,
  made: ApplicationRecord,
  { sent, freshMs }: Fetched,
): Promise<void> {
  const { id } = before
  const freshUntil = new Date(op.now().getTime() + freshMs)
  const after = renewed(before, made)
  if (JSON.stringify(told(before)) === JSON.stringify(told(after)) && isSame(before, after)) {
    await op.write((tx) => saveFreshUntil(tx, id, freshUntil))
    return
  }
  const work = async (tx: Transaction, audit: (event: AuditEvent) => void) => {
    const { id: _id, kind: _kind, createdAt: _made, updatedAt: _at, version: _v, ...fields } = after
    if ((await updateApplication(tx, before, fields, op.now())) === 0) return
    await saveMetadata(tx, id, keptOf(sent))
    await saveFreshUntil(tx, id, freshUntil)
    const detail = { before: told(before), after: told(after) }
    audit(entry(incoming, 'registration.changed', id, detail))
  }
  if (before.kind === made.kind) await op.changePolicy(work, [{ kind: 'application', id }])
  else await forget(op, incoming, before)
}

function renewed(before: ApplicationRecord, made: ApplicationRecord): ApplicationRecord {
  const { name, logoUri, policyUri, tosUri, redirectUris, postLogoutRedirectUris } = made
  const { backchannelLogoutUri, origins, grantTypes, authMethods, jwks, jwksUri, idTokenAlg } = made
  const asked = made.scopeLimit ?? []
  return {
    ...{ ...before, name, logoUri, policyUri, tosUri, redirectUris, postLogoutRedirectUris },
    ...{ backchannelLogoutUri, origins, grantTypes, authMethods, jwks, jwksUri, idTokenAlg },
    scopeLimit: before.scopeLimit?.filter((scope) => asked.includes(scope)) ?? null,
    publisherVerified: before.publisherVerified && before.name === name,
  }
}

function isSame(before: ApplicationRecord, after: ApplicationRecord): boolean {
  return JSON.stringify(before) === JSON.stringify(after)
}

async function forget(op: Op, incoming: Incoming, before: ApplicationRecord): Promise<void> {
  const { id } = before
  await op.changePolicy(
    async (tx, audit) => {
      await removeApplication(tx, before, op.now())
      audit(entry(incoming, 'registration.deleted', id, { before: told(before) }))
    },
    [{ kind: 'application', id }],
  )
  throw refused('the metadata document describes another kind of application now; start again')
}

function entry(
  { ip, requestId }: Incoming,
  event: 'registration.created' | 'registration.changed' | 'registration.deleted',
  id: string,
  detail: Record<string, unknown>,
): AuditEvent {
  return {
    ...{ event, result: 'success', actorKind: 'client', actorId: id, applicationId: id },
    ...{ targetKind: 'application', targetId: id, ip, requestId, detail },
  }
}
