import type { EventName } from '../../base/events'
import { type Incoming, json, NO_STORE, type Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { hintOf, newId, newSecret } from '../../crypto/secrets'
import { countAttempt, type Limit, networkLimit } from '../../limits/attempts'
import type { AuditEvent } from '../../oidc/audit-event'
import { readBearer } from '../../oidc/bearer'
import { slowDown } from '../../oidc/client-auth'
import { OAuthError } from '../../oidc/errors'
import type { ClientRegistration } from '../../settings/client-registration'
import { type ApplicationRecord, insertApplication } from '../../store/applications/applications'
import {
  countRegistered,
  insertRegistration,
  type RegistrationMethod,
} from '../../store/applications/client-registrations'
import { isLiveToken, spendInitialToken } from '../../store/applications/initial-access-tokens'
import { addSecret } from '../../store/applications/secrets'
import type { Transaction } from '../../store/database/connection'
import { addGrants } from '../../store/permissions/grants'
import { takesSecrets } from '../applications/rules'
import { newFields, permissionsIn, requireSound } from './application'
import { full, makeRoom } from './expire'
import { informationOf, keptOf } from './information'
import { type ClientMetadata, parseMetadata } from './metadata'
import { readMetadata } from './read'
import { withStatement } from './software-statement'

/** `POST /oidc/register` (RFC 7591 §3): a client makes itself known, as far as an admin allows. */

export async function register(op: Op, incoming: Incoming): Promise<Reply> {
  const policy = await requireOpen(op)
  const initial = await admit(op, incoming, policy)
  const sent = parseMetadata(await withStatement(op, policy, await readMetadata(incoming)))
  const application = newApplication(op, policy, sent)
  const secrets = {
    token: newSecret('ghrg'),
    client: takesSecrets(application) ? newSecret('ghcs') : null,
  }
  const way = initial === null ? 'open' : 'token'
  await makeRoom(op, way, policy.most)
  await save(op, incoming, { application, sent, initial, way, secrets, policy })
  const answer = informationOf(op, application, keptOf(sent), secrets.token)
  const secret = secrets.client !== null && {
    client_secret: secrets.client,
    client_secret_expires_at: 0,
  }
  return json(201, { ...answer, ...secret }, NO_STORE)
}

export async function requireOpen(op: Op): Promise<ClientRegistration> {
  const { clientRegistration } = await op.settings.current()
  if (clientRegistration.mode !== 'off') return clientRegistration
  const description = 'clients cannot register themselves here'
  throw new OAuthError('registration_not_supported', description, 'registration_off')
}

/** All networks together, without an initial access token. */
const IN_A_MINUTE: Limit = { key: 'register:all', most: 300, windowMs: 60_000 }
const WRONG_TOKENS = 20

/** The hash of a valid initial access token; null for anybody, within limits. */
async function admit(
  op: Op,
  incoming: Incoming,
  { mode, perNetwork }: ClientRegistration,
): Promise<string | null> {
  const token = await readBearer(incoming)
  if (token === null && mode === 'open') {
    await requireFew(op, [networkLimit(op, 'register', incoming.ip, perNetwork), IN_A_MINUTE])
    return null
  }
  const hash = token === null ? null : op.hashSecret(token)
  if (hash !== null && (await op.read((db) => isLiveToken(db, hash, op.now())))) return hash
  await requireFew(op, [networkLimit(op, 'register-token', incoming.ip, WRONG_TOKENS)])
  throw noToken()
}

async function requireFew(op: Op, limits: readonly Limit[]): Promise<void> {
  const wait = await countAttempt(op, limits)
  if (wait > 0) throw slowDown(wait)
}

function noToken(): OAuthError {
  const description = 'an initial access token that is valid is needed here'
  return new OAuthError('invalid_token', description, 'initial_token')
}

function newApplication(
  op: Op,
  policy: ClientRegistration,
  sent: ClientMetadata,
): ApplicationRecord {
  const stamps = { createdAt: op.now(), updatedAt: op.now(), version: 1 }
  const fields = newFields(op, policy, sent)
  const application = { ...fields, id: newId('app'), registration: 'dynamic', ...stamps } as const
  requireSound(op, application)
  return application
}

type New = {
  application: ApplicationRecord
  sent: ClientMetadata
  initial: string | null
  way: RegistrationMethod
  secrets: { token: string; client: string | null }
  policy: ClientRegistration
}

/** The use of the initial access token and the client itself are one transaction. */
async function save(op: Op, incoming: Incoming, made: New): Promise<void> {
  const { application, sent, initial, way, secrets, policy } = made
  const { id } = application
  const { policy: model } = await op.snapshot()
  const permissions = permissionsIn(model, application.scopeLimit ?? [])
  await op.changePolicy(
    async (tx, audit) => {
      const initialTokenId =
        initial === null ? null : await spendInitialToken(tx, initial, op.now())
      if (initial !== null && initialTokenId === null) throw noToken()
      if ((await countRegistered(tx, way)) >= policy.most) throw full()
      const { version: _first, ...row } = application
      await insertApplication(tx, row)
      await grantPermissions(op, tx, id, permissions)
      if (secrets.client !== null) await addSecret(tx, firstSecret(op, id, secrets.client))
      const tokenHash = op.hashSecret(secrets.token)
      const dates = { freshUntil: null, createdAt: op.now(), lastUsedAt: op.now() }
      const kept = { applicationId: id, tokenHash, initialTokenId, metadata: keptOf(sent) }
      await insertRegistration(tx, { ...kept, ...dates })
      const detail = { ...told(application), initial_token: initialTokenId }
      audit(registrationEvent(incoming, 'registration.created', id, detail))
    },
    [{ kind: 'application', id }],
  )
}

/** What an admin wants to know of a client that nobody here made. */
export function told(application: ApplicationRecord) {
  const { name, kind, redirectUris, scopeLimit, authMethods } = application
  return { name, kind, redirectUris, scopes: scopeLimit, authMethods }
}

const ALWAYS = { effect: 'allow', condition: null, validFrom: null, validUntil: null } as const

export async function grantPermissions(op: Op, tx: Transaction, id: string, permissions: string[]) {
  if (permissions.length === 0) return
  const grants = permissions.map((pattern) => ({ pattern, exchangeFrom: null, ...ALWAYS }))
  await addGrants(tx, id, grants, op.now())
}

export function firstSecret(op: Op, applicationId: string, secret: string) {
  const secretHash = op.hashSecret(secret)
  const dates = { createdAt: op.now(), expiresAt: null }
  return {
    id: newId('sec'),
    applicationId,
    name: 'registration',
    secretHash,
    hint: hintOf(secret),
    ...dates,
  }
}

/** What a client did with its own registration. */
export function registrationEvent(
  { ip, requestId }: Incoming,
  event: Extract<EventName, `registration.${string}`>,
  id: string,
  detail: Record<string, unknown>,
): AuditEvent {
  return {
    event,
    result: 'success',
    actorKind: 'client',
    actorId: id,
    applicationId: id,
    targetKind: 'application',
    targetId: id,
    ip,
    requestId,
    detail,
  }
}
