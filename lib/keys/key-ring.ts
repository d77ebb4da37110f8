import type { JWK } from 'jose'
import { onceFor } from '../base/once-for'
import {
  newKey,
  openKey,
  SIGNING_ALGORITHMS,
  type SigningAlgorithm,
  type SigningKey,
  type StoredKey,
} from '../crypto/keys'
import { reaching } from '../store/database/unavailable'
import {
  type KeyMover,
  type KeyRecord,
  keyIn,
  type SigningKeyStore,
  THE_SYSTEM,
} from '../store/tokens/signing-keys'

const REREAD_AFTER_MS = 1_000
const RETRY_AFTER_MS = 5_000
/** Twice the cache time of the JWKS: no verifier meets a key that it has not seen. */
export const STAGE_MS = 10 * 60 * 1000
export const ROTATE_AFTER_MS = 90 * 24 * 60 * 60 * 1000
/** Longer than the lifetime of any token that a retired key may have signed. */
const RETIRE_MS = 25 * 60 * 60 * 1000

const MAX_SHOWN = 100

export type KeyRing = {
  signingKey(alg: SigningAlgorithm): Promise<SigningKey>
  publishedKeys(): Promise<JWK[]>
  list(): Promise<KeyRecord[]>
  /** Including removed keys; the newest first. */
  history(): Promise<KeyRecord[]>
  /** Publishes the next key; null if one is staged already. */
  stage(alg: SigningAlgorithm, by?: KeyMover): Promise<StoredKey | null>
  /**
   * The staged key begins to sign; false if there is none, or it was not published for long enough.
   */
  rotate(alg: SigningAlgorithm, atOnce: boolean, by?: KeyMover): Promise<boolean>
  /** Tokens that the key signed become invalid. */
  revoke(kid: string, by?: KeyMover): Promise<boolean>
}

type Needed = { store: SigningKeyStore; encryptionKey: Buffer; now(): Date }

/** The keys of this process: created if there are none, decrypted once, read again every second. */
export function keyRing(store: SigningKeyStore, encryptionKey: Buffer, now: () => Date): KeyRing {
  const needed = { store, encryptionKey, now }
  const { current, forget } = keptForASecond(() => keepRotating(needed))
  const publishing = publishedOf()
  const opened = new Map<string, SigningKey>()

  async function open(stored: StoredKey): Promise<SigningKey> {
    const key = opened.get(stored.kid) ?? (await openKey(encryptionKey, stored))
    opened.set(stored.kid, key)
    return key
  }

  /** After a change, this process reads the keys again before it answers. */
  async function seenAtOnce<T>(move: Promise<T>): Promise<T> {
    const moved = await move
    forget()
    return moved
  }

  return {
    async signingKey(alg) {
      const stored = keyIn(await current(), alg, 'active')
      if (!stored) throw new Error(`there is no active ${alg} key`)
      return open(stored)
    },
    publishedKeys: async () => publishing(await current()),
    list: current,
    history: () => store.history(MAX_SHOWN),
    stage: (alg, by = THE_SYSTEM) => seenAtOnce(stage(needed, alg, by)),
    rotate: (alg, atOnce, by = THE_SYSTEM) => seenAtOnce(rotate(needed, alg, atOnce, by)),
    revoke: (kid, by = THE_SYSTEM) => seenAtOnce(store.revoke(kid, now(), by)),
  }
}

/** Concurrent callers share one read. */
function keptForASecond(read: () => Promise<KeyRecord[]>) {
  let keys: KeyRecord[] = []
  let readAgainAt = Number.NEGATIVE_INFINITY
  let reading: Promise<KeyRecord[]> | null = null

  async function readNow(): Promise<KeyRecord[]> {
    try {
      keys = await read()
      readAgainAt = performance.now() + REREAD_AFTER_MS
    } catch (error) {
      // The JWKS is served even if the database cannot be reached.
      if (keys.length === 0) throw error
      readAgainAt = performance.now() + RETRY_AFTER_MS
    }
    return keys
  }

  return {
    current(): Promise<KeyRecord[]> {
      if (performance.now() < readAgainAt) return Promise.resolve(keys)
      reading ??= readNow().finally(() => {
        reading = null
      })
      return reading
    },
    forget(): void {
      readAgainAt = Number.NEGATIVE_INFINITY
    },
  }
}

/**
 * Returns the same list while the keys stay the same, so that callers can cache what they derive
 * from it.
 */
function publishedOf(): (keys: KeyRecord[]) => JWK[] {
  let published: { names: string; keys: JWK[] } = { names: '', keys: [] }
  return onceFor((keys) => {
    const shown = keys.filter((key) => key.state !== 'revoked')
    const names = shown.map((key) => key.kid).join(' ')
    if (names !== published.names) published = { names, keys: shown.map((key) => key.publicJwk) }
    return published.keys
  })
}

/**
 * First keys, rotation and clean-up. Each step is safe when several server processes do it. The
 * database must answer in time; generating an RSA key on a busy machine may take longer than that.
 */
async function keepRotating(needed: Needed): Promise<KeyRecord[]> {
  const { store, now } = needed
  const stored = await reaching(store.list())
  const moves = SIGNING_ALGORITHMS.flatMap((alg) => dueMove(stored, alg, now()) ?? [])
  if (moves.length === 0 && !stored.some((key) => isOver(key, now()))) return stored
  for (const move of moves) await perform(needed, move)
  await reaching(store.removeRetiredBefore(new Date(now().getTime() - RETIRE_MS), now()))
  return reaching(store.list())
}

function isOver(key: KeyRecord, now: Date): boolean {
  const removesAt = removalOf(key)
  return removesAt !== null && removesAt < now
}

async function perform(needed: Needed, move: Move): Promise<void> {
  const { store, encryptionKey, now } = needed
  switch (move.do) {
    case 'make': {
      const key = await newKey(encryptionKey, move.alg, now())
      await reaching(store.saveFirst(key, now()))
      return
    }
    case 'stage':
      await stage(needed, move.alg, THE_SYSTEM)
      return
    case 'promote':
      await reaching(store.promote(move.key, now(), THE_SYSTEM))
  }
}

async function stage(
  { store, encryptionKey, now }: Needed,
  alg: SigningAlgorithm,
  by: KeyMover,
): Promise<StoredKey | null> {
  const activatesAt = new Date(now().getTime() + STAGE_MS)
  const key = await newKey(encryptionKey, alg, activatesAt)
  return (await reaching(store.stage(key, now(), by))) ? key : null
}

async function rotate(
  { store, now }: Needed,
  alg: SigningAlgorithm,
  atOnce: boolean,
  by: KeyMover,
): Promise<boolean> {
  const staged = keyIn(await store.list(), alg, 'staged')
  if (!staged || (!atOnce && staged.activatesAt > now())) return false
  return store.promote(staged, now(), by)
}

type Move =
  | { do: 'make'; alg: SigningAlgorithm }
  | { do: 'stage'; alg: SigningAlgorithm }
  | { do: 'promote'; key: StoredKey }

/** The next step of the schedule for one algorithm; null if none is due. */
export function dueMove(keys: StoredKey[], alg: SigningAlgorithm, now: Date): Move | null {
  const active = keyIn(keys, alg, 'active')
  const staged = keyIn(keys, alg, 'staged')
  if (staged && (!active || staged.activatesAt <= now)) return { do: 'promote', key: staged }
  if (!active) return { do: 'make', alg }
  const old = now.getTime() - active.activatesAt.getTime() > ROTATE_AFTER_MS
  return old && !staged ? { do: 'stage', alg } : null
}

/** When a key is no longer published; null if not known yet. */
export function removalOf({ state, retiredAt, removedAt }: Retiring): Date | null {
  if (removedAt !== null) return removedAt
  if (state !== 'retiring' || retiredAt === null) return null
  return new Date(retiredAt.getTime() + RETIRE_MS)
}

type Retiring = Pick<KeyRecord, 'state' | 'retiredAt' | 'removedAt'>

type Schedule = {
  alg: SigningAlgorithm
  /** The key that signs now; null if none exists yet: it is created when it is needed. */
  active: string | null
  staged: string | null
  /** When the next key will be published; null if it is already. */
  stagesAt: Date | null
  /** When the next key begins to sign. */
  activatesAt: Date | null
}

export function scheduleOf(keys: readonly KeyRecord[], alg: SigningAlgorithm): Schedule {
  const active = keyIn(keys, alg, 'active')
  const staged = keyIn(keys, alg, 'staged')
  const due = active ? active.activatesAt.getTime() + ROTATE_AFTER_MS : null
  return {
    alg,
    active: active?.kid ?? null,
    staged: staged?.kid ?? null,
    stagesAt: staged || due === null ? null : new Date(due),
    activatesAt: staged?.activatesAt ?? (due === null ? null : new Date(due + STAGE_MS)),
  }
}
