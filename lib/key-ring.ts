import type { JWK } from 'jose'
import {
  newKey,
  openKey,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  type SigningKey,
  type StoredKey,
} from './crypto/keys'
import { activeKey, type SigningKeyStore } from './store/signing-keys'
import { reaching } from './store/unavailable'

const REREAD_AFTER_MS = 30_000

export type KeyRing = {
  signingKey(alg: SigningAlgorithm): Promise<SigningKey>
  publishedKeys(): Promise<JWK[]>
}

/** The keys of this process: made if there are none, opened once, read again now and then. */
export function keyRing(store: SigningKeyStore, encryptionKey: Buffer, now: () => Date): KeyRing {
  const opened = new Map<string, SigningKey>()
  let keys: StoredKey[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<StoredKey[]> | null = null

  async function read(): Promise<StoredKey[]> {
    keys = await ensureKeys(store, encryptionKey, now)
    readAt = performance.now()
    return keys
  }

  /** Stale keys still answer while they are read again: a database that is away stops no JWKS. */
  function current(): Promise<StoredKey[]> {
    if (performance.now() - readAt < REREAD_AFTER_MS) return Promise.resolve(keys)
    reading ??= reaching(read()).finally(() => {
      reading = null
    })
    if (keys.length === 0) return reading
    reading.catch(() => {})
    return Promise.resolve(keys)
  }

  function open(stored: StoredKey): SigningKey {
    const key = opened.get(stored.kid) ?? openKey(encryptionKey, stored)
    opened.set(stored.kid, key)
    return key
  }

  return {
    async signingKey(alg) {
      const stored = activeKey(await current(), alg)
      if (!stored) throw new Error(`there is no active ${alg} key`)
      return open(stored)
    },
    async publishedKeys() {
      return (await current()).filter((key) => key.state !== 'revoked').map((key) => key.publicJwk)
    },
  }
}

async function ensureKeys(
  store: SigningKeyStore,
  encryptionKey: Buffer,
  now: () => Date,
): Promise<StoredKey[]> {
  const keys = await store.list()
  const missing = SIGNING_ALGORITHMS.filter((alg) => !activeKey(keys, alg))
  if (missing.length === 0) return keys
  for (const alg of missing) await store.saveFirst(await newKey(encryptionKey, alg), now())
  return store.list()
}
