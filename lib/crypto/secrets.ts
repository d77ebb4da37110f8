import { createHmac, hash, hkdfSync, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'

/** Secrets and ids are random text with a prefix that says what they are, to people and scanners. */

const SECRET_BYTES = 32
const ID_BYTES = 16
const MILLIS_BYTES = 6
const DATED_RANDOM_BYTES = 12
const KEY_BYTES = 32
const HINT_LENGTH = 4

export type SecretPrefix =
  | 'ghcs' // client secret of an application
  | 'ghsk' // secret key of an access key
  | 'ghss' // session
  | 'ghlk' // one-time link
  | 'ghbr' // the browser of an interaction
  | 'ghac' // authorization code
  | 'ghrt' // refresh token
  | 'ghdv' // a device that is trusted with one factor
  | 'ghpl' // a sign-in that waits for its second factor

export type IdPrefix =
  | 'usr'
  | 'app'
  | 'ak'
  | 'sec'
  | 'api'
  | 'itm'
  | 'spc'
  | 'rol'
  | 'asg'
  | 'grn'
  | 'own'
  | 'ses'
  | 'aud'
  | 'dec'
  | 'int'
  | 'tgr'
  | 'fam'
  | 'out'
  | 'grp'
  | 'otp'
  | 'pas'
  | 'ava'
  | 'lgo'
  | 'idn'
  | 'jny'
  | 'whk'
  | 'msg'
  | 'avw'

export function newSecret(prefix: SecretPrefix): string {
  return `${prefix}_${randomText(SECRET_BYTES)}`
}

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(ID_BYTES)}`
}

/** Written anew for each id. */
const now48 = Buffer.alloc(MILLIS_BYTES)

/**
 * For what is written by the thousand: what belongs to one moment stands together in an index, and
 * a batch of it touches few pages. Still 96 random bits.
 */
export function newDatedId(prefix: IdPrefix): string {
  now48.writeUIntBE(Date.now(), 0, MILLIS_BYTES)
  return `${prefix}_${now48.toString('base64url')}${randomText(DATED_RANDOM_BYTES)}`
}

/** When a dated id was made, in milliseconds; 0 for what is none. */
export function madeAt(id: string): number {
  const [, text = ''] = /^[a-z]+_([\w-]{8})/.exec(id) ?? []
  return text === '' ? 0 : Buffer.from(text, 'base64url').readUIntBE(0, MILLIS_BYTES)
}

/** A UUID of version 7 (RFC 9562 §5.7), for the same reason. */
export function newRequestId(): string {
  const millis = Date.now()
    .toString(16)
    .padStart(2 * MILLIS_BYTES, '0')
  return `${millis.slice(0, 8)}-${millis.slice(8)}-7${randomUUID().slice(15)}`
}

/** Asking the system costs more than what is asked for, so it is asked for much at a time. */
const POOL_BYTES = 4096
let pool = Buffer.alloc(0)

function randomText(bytes: number): string {
  if (pool.length < bytes) pool = randomBytes(POOL_BYTES)
  const taken = pool.subarray(0, bytes)
  pool = pool.subarray(bytes)
  const text = taken.toString('base64url')
  taken.fill(0)
  return text
}

/** What people see of a secret after it was shown once. */
export function hintOf(secret: string): string {
  return secret.slice(-HINT_LENGTH)
}

export type Purpose =
  | 'pepper'
  | 'key encryption'
  | 'cookie'
  | 'refresh successor'
  | 'outbox'
  | 'idempotency'
  | 'cursor'
  | 'factor'
  | 'challenge'
  | 'upstream'
  | 'next-auth'
  | 'test login'
  | 'settings'
  | 'webhook'
  | 'backup'

/** One master secret, one derived key for each purpose (RFC 5869). */
export function deriveKey(master: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', master, 'gatehouse', purpose, KEY_BYTES))
}

/** Of what is no secret, or random enough. In one go: half of what `createHash` takes for a line. */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}

export type HashSecret = (secret: string) => string

/** Secrets are 256 random bits, so one keyed SHA-256 is enough and the hot path stays hot. */
export function secretHasher(pepper: Buffer): HashSecret {
  return (secret) => createHmac('sha256', pepper).update(secret).digest('base64url')
}

/** Compares two digests of the same length in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
