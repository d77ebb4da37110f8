import { isDeepStrictEqual } from 'node:util'
import type { Incoming } from '../../base/http'
import { MINUTE_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { countAttempt, networkLimit } from '../../limits/attempts'
import type { AuditEvent } from '../../oidc/audit-event'
import type { RequestedTarget } from '../../oidc/authorize'
import { slowDown } from '../../oidc/client-auth'
import { isRegistered } from '../../oidc/target'
import {
  type ApplicationRecord,
  insertApplication,
  removeApplication,
  updateApplication,
} from '../../store/applications/applications'
import {
  countRegistered,
  type DocumentClient,
  findDocumentClient,
  insertRegistration,
  type ReadDocument,
  saveRead,
} from '../../store/applications/client-registrations'
import { deletedAmong } from '../../store/audit/deleted-ids'
import type { Reader, Transaction } from '../../store/database/connection'
import { isUniqueViolation } from '../../store/database/unique'
import { assignmentsOfApplication, insertAssignments } from '../../store/permissions/assignments'
import { addGrants, listGrants } from '../../store/permissions/grants'
import { listApproved, restoreApproved } from '../../store/requests/applications'
import { newFields, permissionsIn, type RegistrationPolicy, requireSound } from './application'
import {
  type FetchedDocument,
  fetchDocument,
  isAway,
  MAX_MS,
  refused,
  requireAddress,
} from './document'
import { full, makeRoom } from './expire'
import { keptOf } from './information'
import { type Change, endConsentsIfAnother, isStillVerified } from './moved'
import { saidAfter, withoutTaken } from './narrowed'
import { grantPermissions, registrationEvent, told } from './register'

/**
 * The application of a metadata document: a row like any other, made by the first authorization
 * request that its document allows, read again when the document is no longer fresh.
 */

const FETCHES_FROM_NETWORK = 30
const FETCHES_OF_HOST = 30

export async function ensureDocumentClient(
  op: Op,
  incoming: Incoming,
  { clientId, redirectUri }: RequestedTarget,
): Promise<void> {
  const { clientRegistration } = await op.settings.current()
  const url = requireAddress(op, clientRegistration, clientId)
  const policy = { ...clientRegistration, ownHost: url.host }
  const known = await op.read((db) => findDocumentClient(db, clientId))
  // What an admin disabled is refused at the trust line; its document cannot change that.
  if (known && known.application.disabledAt !== null) return
  if (known) return keepFresh(op, incoming, policy, known)
  await op.read((db) => requireNotDeleted(db, clientId))
  await requireFewFetches(op, incoming, url)
  const fetched = await fetchDocument(op, policy, clientId)
  const made = applicationOf(op, policy, fetched, clientId)
  requireRedirect(made, redirectUri)
  await makeRoom(op, 'document', policy.most)
  await save(op, incoming, made, fetched, policy)
}

/** The portal must be no tool against others: few requests for one caller, and to one host, whatever the port. */
async function requireFewFetches(op: Op, { ip }: Incoming, { hostname }: URL): Promise<void> {
  const ofHost = { most: FETCHES_OF_HOST, windowMs: MINUTE_MS }
  const wait = await countAttempt(op, [
    networkLimit(op, 'client-document', ip, FETCHES_FROM_NETWORK),
    { key: `client-document:host:${op.hashSecret(hostname)}`, ...ofHost },
  ])
  if (wait > 0) throw slowDown(wait)
}

function applicationOf(
  op: Op,
  policy: RegistrationPolicy,
  { sent }: FetchedDocument,
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
  const description = 'redirect_uri is not in the metadata document of the application'
  throw refused(description, 'document_redirect_uri')
}

async function save(
  op: Op,
  incoming: Incoming,
  application: ApplicationRecord,
  { sent, freshMs }: FetchedDocument,
  policy: RegistrationPolicy,
): Promise<void> {
  const { id } = application
  const freshUntil = new Date(op.now().getTime() + freshMs)
  const { policy: model } = await op.snapshot()
  const permissions = permissionsIn(model, application.scopeLimit ?? [])
  const work = async (tx: Transaction, audit: (event: AuditEvent) => void) => {
    if ((await countRegistered(tx, 'document')) >= policy.most) throw full()
    await insertAll(op, tx, application, { metadata: keptOf(sent), freshUntil })
    await grantPermissions(op, tx, id, permissions)
    audit(registrationEvent(incoming, 'registration.created', id, told(application)))
  }
  try {
    await op.changePolicy(work, [{ kind: 'application', id }])
  } catch (error) {
    // Another request of the same moment made it.
    if (!isUniqueViolation(error)) throw error
  }
}

/** By an admin; one that was deleted because nobody used it may come again. */
async function requireNotDeleted(db: Reader, id: string): Promise<void> {
  if ((await deletedAmong(db, [id])).has(id)) {
    throw refused('an admin has deleted this application here', 'document_deleted')
  }
}

async function insertAll(
  op: Op,
  tx: Transaction,
  { version: _first, ...application }: ApplicationRecord,
  read: ReadDocument,
): Promise<void> {
  await insertApplication(tx, application)
  const now = op.now()
  await insertRegistration(tx, {
    applicationId: application.id,
    tokenHash: null,
    initialTokenId: null,
    ...read,
    createdAt: now,
    lastUsedAt: now,
  })
}

// ---------------------------------------------------------------- when it is no longer fresh

async function keepFresh(
  op: Op,
  incoming: Incoming,
  policy: RegistrationPolicy,
  known: DocumentClient,
): Promise<void> {
  const staleFor = op.now().getTime() - (known.freshUntil?.getTime() ?? 0)
  if (staleFor < 0) return
  const fetched = await readAgain(op, policy, known, staleFor <= MAX_MS)
  if (!fetched) return
  const made = applicationOf(op, policy, fetched, known.application.id)
  await renew(op, incoming, known, made, fetched)
}

const RENEWALS = 5

/**
 * Nobody can stop a client that is known by exhausting the limits of others, or while its host is
 * away: for a day, null means that what was read before still counts. The limit is its own.
 */
async function readAgain(
  op: Op,
  policy: RegistrationPolicy,
  { application: { id } }: DocumentClient,
  mayGoOn: boolean,
): Promise<FetchedDocument | null> {
  const key = `client-document:renew:${op.hashSecret(id)}`
  const wait = await countAttempt(op, [{ key, most: RENEWALS, windowMs: MINUTE_MS }])
  if (wait > 0 && mayGoOn) return null
  if (wait > 0) throw slowDown(wait)
  try {
    return await fetchDocument(op, policy, id)
  } catch (error) {
    if (mayGoOn && isAway(error)) return null
    throw error
  }
}

/** What an admin took away stays away, and scopes are never widened. */
async function renew(
  op: Op,
  incoming: Incoming,
  { application: before, metadata }: DocumentClient,
  made: ApplicationRecord,
  { sent, freshMs }: FetchedDocument,
): Promise<void> {
  const { id } = before
  const after = renewed(before, metadata, made)
  const next = {
    metadata: saidAfter(before, metadata, keptOf(sent)),
    freshUntil: new Date(op.now().getTime() + freshMs),
  }
  if (isDeepStrictEqual(before, after)) {
    await op.write((tx) => saveRead(tx, id, next))
    return
  }
  const replace = before.kind === after.kind ? update : makeAnew
  await op.changePolicy(
    async (tx, audit) => {
      if (!(await replace(op, tx, { before, after }, next))) return
      const consentsEnded = await endConsentsIfAnother(tx, { before, after })
      const detail = { before: told(before), after: told(after), consentsEnded }
      audit(registrationEvent(incoming, 'registration.changed', id, detail))
    },
    [{ kind: 'application', id }],
  )
}

function renewed(
  before: ApplicationRecord,
  said: Record<string, unknown>,
  made: ApplicationRecord,
): ApplicationRecord {
  const { kind, name, logoUri, policyUri, tosUri, redirectUris, postLogoutRedirectUris } = made
  const { backchannelLogoutUri, origins, grantTypes, authMethods, jwks, jwksUri, idTokenAlg } = made
  const { initiateLoginUri, assertionAlg, userinfoAlg, defaultMaxAge, requireAuthTime } = made
  const described = withoutTaken(before, said, {
    kind,
    name,
    logoUri,
    policyUri,
    tosUri,
    redirectUris,
    postLogoutRedirectUris,
    backchannelLogoutUri,
    origins,
    grantTypes,
    authMethods,
    jwks,
    jwksUri,
    idTokenAlg,
    initiateLoginUri,
    assertionAlg,
    userinfoAlg,
    defaultMaxAge,
    requireAuthTime,
  })
  const asked = made.scopeLimit ?? []
  return {
    ...before,
    ...described,
    scopeLimit: before.scopeLimit?.filter((scope) => asked.includes(scope)) ?? null,
    pkce: made.pkce === 'required' ? made.pkce : before.pkce,
    publisherVerified: before.kind === kind && isStillVerified(before, described),
  }
}

/** False if somebody else changed it first. */
async function update(op: Op, tx: Transaction, { before, after }: Change, read: ReadDocument) {
  const { id, kind: _kind, createdAt: _made, updatedAt: _at, version: _v, ...fields } = after
  if ((await updateApplication(tx, before, fields, op.now())) === 0) return false
  await saveRead(tx, id, read)
  return true
}

/**
 * A client of another kind is another client: what users said about the old one does not count for
 * it, and its tokens end. What admins decided still holds.
 */
async function makeAnew(op: Op, tx: Transaction, { before, after }: Change, read: ReadDocument) {
  const grants = await listGrants(tx, before.id)
  const assignments = await assignmentsOfApplication(tx, before.id)
  const now = op.now()
  const approved = await listApproved(tx, before.id, now)
  if ((await removeApplication(tx, before, now)) === 0) return false
  await insertAll(op, tx, { ...after, createdAt: now, updatedAt: now }, read)
  const terms = grants.map(({ id: _id, ...grant }) => grant)
  if (terms.length > 0) await addGrants(tx, before.id, terms, now)
  if (assignments.length > 0) await insertAssignments(tx, assignments, now)
  await restoreApproved(tx, before.id, approved)
  return true
}
