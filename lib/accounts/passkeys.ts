import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { parsedJson } from '../base/json-text'
import type { Op, Transaction } from '../context/op'
import { keyedHash, sameDigest } from '../crypto/secrets'
import { countPasskeyUse, listPasskeysOf, type StoredPasskey } from '../store/accounts/passkeys'
import type { User } from '../store/accounts/users'
import { spendId } from '../store/tokens/used-ids'

/**
 * The ceremonies of WebAuthn. A challenge contains its purpose and expiry, encrypted by the portal,
 * so that showing a page writes nothing. Answering a challenge uses it up.
 */

export type PasskeyPurpose =
  | { for: 'login' }
  | { for: 'second_factor' | 'confirm' | 'register'; userId: string }

export const CHALLENGE_MS = 10 * 60 * 1000
const NONCE_BYTES = 16
const TIME_BYTES = 6
const MAX_RESPONSE_LENGTH = 16 * 1024
const ES256 = -7
const ED25519 = -8
const RS256 = -257

/** The host name that authenticators bind keys to. */
export function relyingParty({ origin }: Pick<Op, 'origin'>): string {
  return new URL(origin).hostname
}

export function newChallenge(op: Op, purpose: PasskeyPurpose): string {
  const expires = Buffer.alloc(TIME_BYTES)
  expires.writeUIntBE(op.now().getTime() + CHALLENGE_MS, 0, TIME_BYTES)
  const open = Buffer.concat([randomBytes(NONCE_BYTES), expires])
  return Buffer.concat([open, sealOf(op, purpose, open)]).toString('base64url')
}

/** Null if the portal did not create it, or it is for another purpose or too old. */
function expiryOf(op: Op, purpose: PasskeyPurpose, challenge: string): Date | null {
  const bytes = Buffer.from(challenge, 'base64url')
  const open = bytes.subarray(0, NONCE_BYTES + TIME_BYTES)
  if (open.length < NONCE_BYTES + TIME_BYTES) return null
  const seal = bytes.subarray(open.length).toString('base64url')
  if (!sameDigest(seal, sealOf(op, purpose, open).toString('base64url'))) return null
  const expires = new Date(open.readUIntBE(NONCE_BYTES, TIME_BYTES))
  return expires > op.now() ? expires : null
}

function sealOf(op: Op, purpose: PasskeyPurpose, open: Buffer): Buffer {
  const whom = 'userId' in purpose ? purpose.userId : ''
  return keyedHash(op.challengeKey).update(`${purpose.for} ${whom} `).update(open).digest()
}

export type RequestOptions = {
  challenge: string
  rpId: string
  timeout: number
  userVerification: 'required'
  allowCredentials: { id: string; type: 'public-key'; transports: Transport[] }[]
}

type Transport = 'ble' | 'cable' | 'hybrid' | 'internal' | 'nfc' | 'smart-card' | 'usb'

/**
 * Without a user name the authenticator offers what it has; otherwise it is asked for a key of that
 * user.
 */
export async function requestOptions(op: Op, purpose: PasskeyPurpose): Promise<RequestOptions> {
  const known = 'userId' in purpose ? await passkeysOf(op, purpose.userId) : []
  return {
    challenge: newChallenge(op, purpose),
    rpId: relyingParty(op),
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: known.map(({ id, transports }) => ({
      id,
      type: 'public-key',
      transports: transports as Transport[],
    })),
  }
}

function passkeysOf(op: Op, userId: string) {
  return op.read((db) => listPasskeysOf(db, userId))
}

/** The user handle that authenticators store. */
export function handleOf({ id }: Pick<User, 'id'>): string {
  return Buffer.from(id).toString('base64url')
}

/** Who a passkey is made for; the ID of a user who does not exist yet is chosen by the portal. */
type PasskeyHolder = Pick<User, 'id' | 'email' | 'name'>

/** The options for a new passkey: usable without a user name, with user verification. */
export async function creationOptions(op: Op, user: PasskeyHolder) {
  const known = await passkeysOf(op, user.id)
  return {
    challenge: newChallenge(op, { for: 'register', userId: user.id }),
    rp: { id: relyingParty(op), name: (await op.settings.current()).branding.name },
    user: {
      id: handleOf(user),
      name: user.email ?? user.name ?? user.id,
      displayName: user.name ?? '',
    },
    pubKeyCredParams: [ED25519, ES256, RS256].map((alg) => ({ alg, type: 'public-key' as const })),
    timeout: CHALLENGE_MS,
    attestation: 'none' as const,
    excludeCredentials: known.map(({ id }) => ({ id, type: 'public-key' as const })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
  }
}

export type CreationOptions = Awaited<ReturnType<typeof creationOptions>>

const bytes = z.base64url()
const authenticationSchema = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.optional(),
  }),
})

const registrationSchema = z.object({
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})

type PasskeyProof = {
  method: 'passkey'
  acr: 'phr'
  amr: string[]
  user: User
  /** The user unlocked it: with a finger, a face or a PIN. */
  verified: boolean
  /** True once: the challenge is used up and the counter is updated. */
  spend(tx: Transaction): Promise<boolean>
}

/** Null unless a known key signed a challenge of the portal. */
export async function findPasskeyProof(
  op: Op,
  purpose: PasskeyPurpose,
  json: string,
): Promise<PasskeyProof | null> {
  const parsed = authenticationSchema.safeParse(parse(json))
  if (!parsed.success) return null
  const passkey = await op.passkeys.find(parsed.data.id)
  if (!passkey || !belongsTo(passkey, purpose, parsed.data.response.userHandle)) return null
  return verify(op, purpose, parsed.data, passkey)
}

/** An answer with a key that was deleted here, or never was. */
export async function isUnknownPasskey(op: Op, json: string): Promise<boolean> {
  const parsed = authenticationSchema.safeParse(parse(json))
  return parsed.success && (await op.passkeys.find(parsed.data.id)) === null
}

async function verify(
  op: Op,
  purpose: PasskeyPurpose,
  sent: z.infer<typeof authenticationSchema>,
  passkey: StoredPasskey,
): Promise<PasskeyProof | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const seen = challengeWatch(op, purpose)
  const { id, publicKey, counter, deviceBound, user } = passkey
  const { userHandle, ...response } = sent.response
  const done = await verifyAuthenticationResponse({
    response: {
      ...sent,
      response: { ...response, ...(userHandle !== undefined && { userHandle }) },
      clientExtensionResults: {},
    },
    expectedChallenge: seen.accept,
    expectedOrigin: op.origin,
    expectedRPID: relyingParty(op),
    credential: { id, publicKey, counter },
    requireUserVerification: true,
  }).catch(() => null) // The library throws for every mismatch.
  if (!done?.verified) return null
  const { newCounter, userVerified } = done.authenticationInfo
  return {
    method: 'passkey',
    acr: 'phr',
    amr: passkeyAmr({ deviceBound }),
    user,
    verified: userVerified,
    spend: async (tx) =>
      (await seen.use(tx)) && (await countPasskeyUse(tx, id, newCounter, op.now())),
  }
}

/** How a user was authenticated who unlocked a passkey (RFC 8176). */
export function passkeyAmr({ deviceBound }: Pick<StoredPasskey, 'deviceBound'>): string[] {
  return [deviceBound ? 'hwk' : 'swk', 'user', 'mfa']
}

/**
 * The owner of the key, the user handle in the answer and the expected user must agree (WebAuthn
 * §7.2, step 6).
 */
function belongsTo(
  { user }: StoredPasskey,
  purpose: PasskeyPurpose,
  handle: string | undefined,
): boolean {
  const said = handle === undefined ? null : Buffer.from(handle, 'base64url').toString()
  if (said !== null && said !== user.id) return false
  if ('userId' in purpose) return purpose.userId === user.id
  return said !== null
}

export type NewKey = {
  id: string
  publicKey: Uint8Array<ArrayBuffer>
  counter: number
  transports: string[]
  deviceBound: boolean
  aaguid: string
  use(tx: Transaction): Promise<boolean>
}

/** Null unless the key was created for this user, here and now. */
export async function readNewKey(op: Op, userId: string, json: string): Promise<NewKey | null> {
  const parsed = registrationSchema.safeParse(parse(json))
  if (!parsed.success) return null
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const seen = challengeWatch(op, { for: 'register', userId })
  const done = await verifyRegistrationResponse({
    response: { ...parsed.data, clientExtensionResults: {} } as Parameters<
      typeof verifyRegistrationResponse
    >[0]['response'],
    expectedChallenge: seen.accept,
    expectedOrigin: op.origin,
    expectedRPID: relyingParty(op),
    supportedAlgorithmIDs: [ED25519, ES256, RS256],
  }).catch(() => null) // The library throws for every mismatch.
  if (!done?.verified) return null
  const { credential, credentialDeviceType, aaguid } = done.registrationInfo
  return {
    id: credential.id,
    publicKey: new Uint8Array(credential.publicKey),
    counter: credential.counter,
    transports: parsed.data.response.transports,
    deviceBound: credentialDeviceType === 'singleDevice',
    aaguid,
    use: seen.use,
  }
}

/** Accepts a challenge while the answer is checked, and uses it up when the answer counts. */
function challengeWatch(op: Op, purpose: PasskeyPurpose) {
  let accepted: { challenge: string; expires: Date } | null = null
  return {
    accept: (challenge: string): boolean => {
      const expires = expiryOf(op, purpose, challenge)
      accepted = expires && { challenge, expires }
      return accepted !== null
    },
    use: async (tx: Transaction): Promise<boolean> =>
      accepted !== null && spendId(tx, 'passkey', accepted.challenge, accepted.expires),
  }
}

function parse(json: string): unknown {
  return json.length > MAX_RESPONSE_LENGTH ? undefined : parsedJson(json)
}
