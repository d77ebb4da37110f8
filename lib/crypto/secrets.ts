import {
  createHmac,
  createSecretKey,
  type Hmac,
  hash,
  hkdfSync,
  randomBytes,
  randomUUID,
  timingSafeEqual,
} from 'node:crypto'
import { onceFor } from '../base/once-for'

/** Secrets and IDs are random text with a prefix that tells people and scanners what they are. */

const SECRET_BYTES = 32
const ID_BYTES = 16
const MILLIS_BYTES = 6
const DATED_RANDOM_BYTES = 12
const KEY_BYTES = 32
const HINT_LENGTH = 4

type SecretPrefix =
  | 'ghcs' // client secret of an application
  | 'ghsk' // secret key of an access key
  | 'ghss' // session
  | 'ghim' // an admin in the account of a user
  | 'ghlk' // one-time link
  | 'ghbr' // the browser of an interaction, or of a sign-in by mail
  | 'ghac' // authorization code
  | 'ghrt' // refresh token
  | 'ghdc' // device code (RFC 8628)
  | 'ghdv' // a trusted device
  | 'ghrg' // registration access token (RFC 7592)
  | 'ghit' // initial access token (RFC 7591)
  | 'ghpl' // a sign-in that waits for its second factor

type IdPrefix =
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
  | 'imp'
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
  | 'iat'
  | 'dva'
  | 'chg'
  | 'rqr'
  | 'arq'
  | 'rvw'
  | 'rvi'

export function newSecret(prefix: SecretPrefix): string {
  return `${prefix}_${randomText(SECRET_BYTES)}`
}

/** What it would be; whether it is one, only its hash can tell. */
export function hasPrefix(secret: string, prefix: SecretPrefix): boolean {
  return secret.startsWith(`${prefix}_`)
}

export function newId(prefix: IdPrefix): string {
  return `${prefix}_${randomText(ID_BYTES)}`
}

/** Overwritten for each ID. */
const now48 = Buffer.alloc(MILLIS_BYTES)

/**
 * For rows that are written by the thousand: IDs of the same time are neighbours in an index, so a
 * batch touches few pages. They still have 96 random bits.
 */
export function newDatedId(prefix: IdPrefix): string {
  now48.writeUIntBE(Date.now(), 0, MILLIS_BYTES)
  return `${prefix}_${now48.toString('base64url')}${randomText(DATED_RANDOM_BYTES)}`
}

/** When a dated ID was created, in milliseconds; 0 for other IDs. */
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

/** A system call for random bytes costs more than the bytes, so many are requested at once. */
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

/** What is shown of a secret later: its last characters. */
export function hintOf(secret: string): string {
  return secret.slice(-HINT_LENGTH)
}

type Purpose =
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
  | 'access request'
  | 'backup'

/** One master secret, one derived key per purpose (RFC 5869). */
export function deriveKey(master: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', master, 'gatehouse', purpose, KEY_BYTES))
}

/** For text that is not secret, or random enough. `hash` takes half the time of `createHash`. */
export function sha256(text: string): string {
  return hash('sha256', text, 'base64url')
}

const seenKey = onceFor((bytes: Buffer) => createSecretKey(bytes))

/** For a key that is kept: with a key object, as `secretHasher` below. */
export function keyedHash(key: Buffer): Hmac {
  return createHmac('sha256', seenKey(key))
}

export type HashSecret = (secret: string) => string

/**
 * Secrets have 256 random bits, so one keyed SHA-256 is enough, and it is fast. With a key object: for
 * a key of bytes, Node 24 makes one each time, which takes seven times as long as the hash.
 */
export function secretHasher(pepper: Buffer): HashSecret {
  const key = createSecretKey(pepper)
  return (secret) => createHmac('sha256', key).update(secret).digest('base64url')
}

/** Compares two digests of the same length in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const left = Buffer.from(a)
  const right = Buffer.from(b)
  return left.length === right.length && timingSafeEqual(left, right)
}
