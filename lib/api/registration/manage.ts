import { type Incoming, json, NO_STORE, pathOf, type Reply } from '../../base/http'
import type { Op } from '../../context/op'
import { newSecret, sameDigest } from '../../crypto/secrets'
import { errorMessage } from '../../i18n/error-message'
import { countAttempt, nameLimit } from '../../limits/attempts'
import { readBearer } from '../../oidc/bearer'
import { slowDown } from '../../oidc/client-auth'
import { OAuthError } from '../../oidc/errors'
import { paths } from '../../oidc/paths'
import {
  type ApplicationRecord,
  removeApplication,
  updateApplication,
} from '../../store/applications/applications'
import {
  findRegistered,
  type RegisteredClient,
  saveMetadata,
} from '../../store/applications/client-registrations'
import { addSecret, findLiveSecrets } from '../../store/applications/secrets'
import { takesSecrets } from '../applications/rules'
import { describedBy, requireSound } from './application'
import { informationOf, keptOf } from './information'
import { badMetadata, parseMetadata } from './metadata'
import { type Change, endConsentsIfAnother, isStillVerified } from './moved'
import { saidAfter, withoutTaken } from './narrowed'
import { readMetadata } from './read'
import { firstSecret, registrationEvent, requireOpen, told } from './register'
import { withStatement } from './software-statement'

/** `/oidc/register/{client_id}` (RFC 7592): a client reads, replaces and deletes its registration. */

type Mine = RegisteredClient & { token: string }

export async function readRegistration(op: Op, incoming: Incoming): Promise<Reply> {
  const { application, metadata, token } = await requireMine(op, incoming)
  return json(200, informationOf(op, application, metadata, token), NO_STORE)
}

/** A token of this client that is enabled; otherwise the same answer for every reason. */
async function requireMine(op: Op, incoming: Incoming): Promise<Mine> {
  const token = await readBearer(incoming)
  const id = pathOf(incoming.url).slice(paths.registration.length + 1)
  const found =
    token === null ? null : await op.read((db) => findRegistered(db, id, op.hashSecret(token)))
  if (token === null || !found || found.application.disabledAt !== null) {
    const description = 'the registration access token is not valid'
    throw new OAuthError('invalid_token', description, 'registration_token')
  }
  return { ...found, token }
}

// ---------------------------------------------------------------- replacing

const CHANGES = 20
/** RFC 7592 §2.2: a request must not contain these. */
const NOT_SENT = [
  'registration_access_token',
  'registration_client_uri',
  'client_secret_expires_at',
  'client_id_issued_at',
]

export async function replaceRegistration(op: Op, incoming: Incoming): Promise<Reply> {
  const mine = await requireMine(op, incoming)
  const { application: before, metadata, token } = mine
  const wait = await countAttempt(op, [nameLimit(op, 'reregister', before.id, CHANGES)])
  if (wait > 0) throw slowDown(wait)
  const policy = await requireOpen(op)
  const raw = await readMetadata(incoming)
  await requireOwnNames(op, before, raw)
  const sent = parseMetadata(await withStatement(op, policy, raw))
  const after = replaced(op, mine, describedBy(op, policy, sent))
  requireSound(op, after)
  const said = saidAfter(before, metadata, keptOf(sent))
  const secret = await saveReplaced(op, incoming, { before, after, said })
  const answer = informationOf(op, after, said, token)
  return json(200, { ...answer, ...secret }, NO_STORE)
}

async function requireOwnNames(
  op: Op,
  { id }: ApplicationRecord,
  raw: Record<string, unknown>,
): Promise<void> {
  const forbidden = NOT_SENT.find((name) => Object.hasOwn(raw, name))
  if (forbidden) throw badMetadata(forbidden, errorMessage('not_offered'))
  if (raw.client_id !== id) throw badMetadata('client_id', errorMessage('invalid'))
  const { client_secret: sent } = raw
  if (sent === undefined) return
  const live = await op.read((db) => findLiveSecrets(db, id, op.now()))
  const hash = op.hashSecret(String(sent))
  if (live.some(({ secretHash }) => sameDigest(secretHash, hash))) return
  throw badMetadata('client_secret', errorMessage('invalid'))
}

/**
 * What an admin has taken away meanwhile stays away: whoever holds the token can never get more
 * scopes than the client has now. Its kind, which decides about consent, stays too.
 */
function replaced(
  op: Op,
  { application: before, metadata }: Mine,
  sent: ReturnType<typeof describedBy>,
): ApplicationRecord {
  const described = withoutTaken(before, metadata, sent)
  if (described.redirectUris.length === 0) {
    throw badMetadata('redirect_uris', errorMessage('redirect_not_listed'))
  }
  if (!described.grantTypes.includes('authorization_code')) {
    throw badMetadata('grant_types', errorMessage('grant_type_unknown'))
  }
  if (described.kind !== before.kind) {
    throw badMetadata('application_type', errorMessage('kind_kept'))
  }
  const scopeLimit = before.scopeLimit?.filter((scope) => described.scopeLimit.includes(scope))
  if (scopeLimit?.length === 0) throw badMetadata('scope', errorMessage('scopes_refused'))
  return {
    ...before,
    ...described,
    scopeLimit: scopeLimit ?? null,
    pkce: described.authMethods.includes('none') ? 'required' : before.pkce,
    publisherVerified: isStillVerified(before, described),
    updatedAt: op.now(),
    version: before.version + 1,
  }
}

type Replaced = Change & { said: Record<string, unknown> }

async function saveReplaced(
  op: Op,
  incoming: Incoming,
  { before, after, said }: Replaced,
): Promise<Record<string, unknown>> {
  const { id } = before
  const needsSecret =
    takesSecrets(after) && (await op.read((db) => findLiveSecrets(db, id, op.now()))).length === 0
  const secret = needsSecret ? newSecret('ghcs') : null
  const { id: _id, kind: _kind, createdAt: _made, updatedAt, version: _next, ...fields } = after
  await op.changePolicy(
    async (tx, audit) => {
      if ((await updateApplication(tx, before, fields, updatedAt)) === 0) throw meanwhile()
      await saveMetadata(tx, id, said)
      if (secret !== null) await addSecret(tx, firstSecret(op, id, secret))
      const consentsEnded = await endConsentsIfAnother(tx, { before, after })
      const detail = { before: told(before), after: told(after), consentsEnded }
      audit(registrationEvent(incoming, 'registration.changed', id, detail))
    },
    [{ kind: 'application', id }],
  )
  return secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }
}

function meanwhile(): OAuthError {
  const description = 'somebody else changed it; try again'
  return new OAuthError('temporarily_unavailable', description, 'registration_conflict')
}

// ---------------------------------------------------------------- deleting

export async function deleteRegistration(op: Op, incoming: Incoming): Promise<Reply> {
  const { application } = await requireMine(op, incoming)
  const { id } = application
  await op.changePolicy(
    async (tx, audit) => {
      if ((await removeApplication(tx, application, op.now())) === 0) throw meanwhile()
      audit(registrationEvent(incoming, 'registration.deleted', id, { before: told(application) }))
    },
    [{ kind: 'application', id }],
  )
  return { status: 204, headers: NO_STORE, body: '' }
}
