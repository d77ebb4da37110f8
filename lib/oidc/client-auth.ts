import { isUtf8 } from 'node:buffer'
import { type Incoming, pathOf } from '../base/http'
import { sameDigest } from '../crypto/secrets'
import { ASSERTION_TYPE, type AssertionKey, claimedClient, proofByAssertion } from './assertion'
import {
  type AuthMethod,
  type Client,
  type Credential,
  isUnexpired,
  type Secret,
  whyUnusable,
} from './client'
import { isOAuthError, OAuthError } from './errors'
import { type Form, hasNul, nameIn, tryFormDecode } from './params'
import type { Provider, Snapshot } from './provider'
import { recordAtClient, recordRefusal } from './refusal'
import type { ReasonOf, Refusal } from './refusal-reasons'

/** Client authentication. Every failure looks the same from outside (attack D16). */

/** As long as a real digest, so that an unknown client takes as long as a known one. */
const NO_DIGEST = '-'.repeat(43)

type Presented = { method: AuthMethod; clientId: string; secret: string }
type ClientRefusal = Refusal<'invalid_client'>

export async function authenticateClient(
  op: Provider,
  incoming: Incoming,
  form: Form,
): Promise<Client> {
  const presented = readPresented(incoming, form)
  if (isOAuthError(presented)) throw await recordedAtNamed(op, incoming, form, presented)
  const { clientId } = presented
  const { credentials } = await op.snapshot({ clients: [clientId] })
  const credential = credentials.get(clientId)
  // From here on a secret is looked at and counted without a pause: guesses of the same moment
  // count, too, and the right secret needs no reservation.
  const guesser = guesserOf(op, incoming, presented)
  if (guesser) requireFewGuesses(op, guesser)
  const found = proofOf(op, credential, presented, op.origin + pathOf(incoming.url))
  const proof = found instanceof Promise ? await found : found
  const refusal = 'reason' in proof ? proof : credential && unusable(op, credential, presented)
  if (!credential || 'reason' in proof || refusal) {
    if (guesser) await countGuess(op, incoming, guesser)
    throw refused(op, incoming, credential, refusal)
  }
  noteUse(op, incoming, credential, proof)
  return {
    id: credential.clientId,
    application: credential.application,
    accessKey: credential.accessKey,
    confidential: presented.method !== 'none',
  }
}

/**
 * Null if there is nothing to guess, or if no trusted proxy reports the address. Without it all
 * callers would share one counter, and any of them could lock out a client by its public ID. The
 * 256 bits of the secret are the limit then. Behind a proxy that nobody named, what it says of the
 * caller is part of the counter: whoever forges it gets a counter of their own, never that of the
 * client, because the proxy adds what it saw (attack Q90).
 */
function guesserOf(
  op: Provider,
  { ip, claimed }: Incoming,
  { clientId, method }: Presented,
): Guesser | null {
  if (ip === null || !method.startsWith('client_secret')) return null
  const caller = () => op.limits.networkOf(ip) + (claimed ? ` ${op.hashSecret(claimed)}` : '')
  return () => `${op.hashSecret(clientId)}:${caller()}`
}

/** What anybody can write must not fill the database. */
function countGuess(op: Provider, { claimed }: Incoming, guesser: Guesser): Promise<void> {
  return op.limits.secretGuesses.failed(guesser(), claimed !== undefined)
}

/** Computed only if a guess fails: a caller with the right secret does not pay for it. */
type Guesser = () => string

/** Known and unknown clients alike; from another network the right secret still works (attack D23). */
function requireFewGuesses(op: Provider, guesser: Guesser): void {
  const retryAfter = op.limits.secretGuesses.wait(guesser)
  if (retryAfter > 0) throw slowDown(retryAfter, 'too_many_guesses')
}

export function slowDown(
  retryAfter: number,
  reason: ReasonOf<'slow_down'> = 'rate_limited',
): OAuthError {
  const description = 'too many requests; wait before you try again'
  return new OAuthError('slow_down', description, reason, { retryAfter })
}

/**
 * The client as this snapshot has it. The policy may be newer than the snapshot that the client
 * authenticated with, and a decision must not mix an old access key with new grants.
 */
export function clientIn(op: Provider, { credentials }: Snapshot, client: Client): Client {
  const known = credentials.get(client.id)
  const unusable = known ? whyUnusable(known, op.now()) : 'client_unknown'
  if (!known || unusable) throw unauthenticated({ reason: unusable ?? 'client_unknown' })
  return { ...client, application: known.application, accessKey: known.accessKey }
}

function unauthenticated({ reason, facts }: ClientRefusal): OAuthError {
  return new OAuthError('invalid_client', 'client authentication failed', reason, { facts })
}

/** Every failure looks the same from outside; why it failed is for the log and for admins. */
function refused(
  op: Provider,
  incoming: Incoming,
  credential: Credential | undefined,
  refusal: ClientRefusal | undefined | null,
): OAuthError {
  if (!credential || !refusal) return unauthenticated({ reason: 'client_unknown' })
  recordRefusal(op, incoming, credential, 'client.refused', refusal)
  return unauthenticated(refusal)
}

/** What cannot be read is shown to the admins of the client that the form names. */
async function recordedAtNamed(
  op: Provider,
  incoming: Incoming,
  form: Form,
  error: OAuthError,
): Promise<OAuthError> {
  const named = nameIn(form.get('client_id'))
  await recordAtClient(op, incoming, named, 'client.refused', error.refusal)
  return error
}

/** The methods, in the order in which they are tried. Discovery lists the keys of this table. */
export const clientAuthMethods: Record<
  AuthMethod,
  (incoming: Incoming, form: Form) => Presented | OAuthError | null
> = {
  client_secret_basic: readBasic,
  client_secret_post: readPost,
  private_key_jwt: readAssertion,
  none: readPublic,
}

function readPresented(incoming: Incoming, form: Form): Presented | OAuthError {
  if (hasSeveralMethods(incoming, form)) {
    const description = 'use only one client authentication method'
    return new OAuthError('invalid_request', description, 'several_methods')
  }
  for (const read of Object.values(clientAuthMethods)) {
    const presented = read(incoming, form)
    if (presented) return presented
  }
  return unauthenticated({ reason: 'credentials_missing' })
}

/** RFC 6749 §2.3: one method per request. */
function hasSeveralMethods({ headers }: Incoming, form: Form): boolean {
  const used = [
    headers.get('authorization'),
    form.get('client_secret'),
    form.get('client_assertion'),
  ]
  return used.filter(Boolean).length > 1
}

function readBasic({ headers }: Incoming, form: Form): Presented | OAuthError | null {
  const header = headers.get('authorization')
  if (header === null) return null
  const halves = decodeBasic(header)
  if (!halves) return unauthenticated({ reason: 'credentials_malformed' })
  const [clientId, secret] = halves
  if (namesAnother(form, clientId)) return unauthenticated({ reason: 'client_id_differs' })
  return { method: 'client_secret_basic', clientId, secret }
}

function readPost(_incoming: Incoming, form: Form): Presented | OAuthError | null {
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  if (secret === undefined) return null
  if (clientId === undefined) return unauthenticated({ reason: 'credentials_malformed' })
  return { method: 'client_secret_post', clientId, secret }
}

function readAssertion(_incoming: Incoming, form: Form): Presented | OAuthError | null {
  const assertion = form.get('client_assertion')
  if (assertion === undefined) return null
  const clientId = claimedClient(assertion)
  if (form.get('client_assertion_type') !== ASSERTION_TYPE) {
    return unauthenticated({ reason: 'assertion_type' })
  }
  if (clientId === null) return unauthenticated({ reason: 'assertion_malformed' })
  if (namesAnother(form, clientId)) return unauthenticated({ reason: 'client_id_differs' })
  return { method: 'private_key_jwt', clientId, secret: assertion }
}

function namesAnother(form: Form, clientId: string): boolean {
  return (form.get('client_id') ?? clientId) !== clientId
}

function readPublic(_incoming: Incoming, form: Form): Presented | null {
  const clientId = form.get('client_id')
  if (clientId === undefined) return null
  return { method: 'none', clientId, secret: '' }
}

/**
 * RFC 6749 §2.3.1: base64 outside, each half form-encoded inside; the first colon separates them.
 */
export function decodeBasic(header: string): [clientId: string, secret: string] | null {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1]
  if (!encoded || encoded.length % 4 !== 0) return null
  const bytes = Buffer.from(encoded, 'base64')
  if (!isUtf8(bytes)) return null
  const text = bytes.toString('utf8')
  if (hasNul(text) || /%00/.test(text)) return null
  const colon = text.indexOf(':')
  if (colon === -1) return null
  const clientId = tryFormDecode(text.slice(0, colon))
  const secret = tryFormDecode(text.slice(colon + 1))
  return clientId && secret ? [clientId, secret] : null
}

/** The stored secret or the key that the client used, if it used one. */
type Proof = { secret?: Secret; key?: AssertionKey }

/** A promise only for an assertion. */
function proofOf(
  op: Provider,
  credential: Credential | undefined,
  { method, secret }: Presented,
  endpoint: string,
): Proof | ClientRefusal | Promise<Proof | ClientRefusal> {
  switch (method) {
    case 'none':
      return isPublic(credential) ? {} : NOT_ALLOWED
    case 'private_key_jwt':
      if (credential?.accessKey !== null) return NOT_ALLOWED
      if (!credential.application.authMethods.includes(method)) return NOT_ALLOWED
      return proofByAssertion(op, credential.application, { assertion: secret, endpoint })
    default:
      return proofBySecret(op, credential, secret)
  }
}

const NOT_ALLOWED: ClientRefusal = { reason: 'method_not_allowed' }
const NO_SECRET: Secret = { id: '', hash: NO_DIGEST, expiresAt: null }

/** Hashes once and compares with as many for every caller, known or unknown. */
function proofBySecret(
  op: Provider,
  credential: Credential | undefined,
  secret: string,
): Proof | ClientRefusal {
  const hash = op.hashSecret(secret)
  const known = credential?.secrets ?? []
  const compared = known.length > 0 ? known : [NO_SECRET]
  const same = compared.filter((one) => sameDigest(one.hash, hash))
  const live = same.find(({ expiresAt }) => isUnexpired(expiresAt, op.now()))
  if (live && live !== NO_SECRET) return { secret: live }
  return { reason: same.length > 0 && !live ? 'secret_expired' : 'wrong_secret' }
}

function noteUse(op: Provider, { ip }: Incoming, credential: Credential, proof: Proof): void {
  const { accessKey, application } = credential
  const { secret, key } = proof
  if (secret) {
    op.noteUse({ kind: accessKey ? 'access_key' : 'application_secret', id: secret.id, ip })
  }
  if (key) op.noteUse({ kind: 'public_key', id: application.id, ...key, ip })
}

function isPublic(credential: Credential | undefined): boolean {
  return credential?.accessKey === null && credential.application.authMethods.includes('none')
}

/** Why a client that proved who it is may still not authenticate. */
function unusable(
  op: Provider,
  credential: Credential,
  { method }: Presented,
): ClientRefusal | null {
  const { application } = credential
  if (!application.authMethods.includes(method))
    return { reason: 'method_not_allowed', facts: { method } }
  const reason = whyUnusable(credential, op.now())
  return reason && { reason }
}
