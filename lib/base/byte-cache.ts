/**
 * A cache with a limit in bytes. The oldest entries go first; one that was used since gets another
 * round ("second chance"), which costs less than moving it at every use. An entry may depend on
 * others: `drop` removes everything that depends on one of them.
 */

export type Entry = {
  readonly bytes: number
  /** Names of what it depends on, besides its own key. */
  readonly dependsOn: readonly string[]
}

type Kept<E> = { entry: E; used: boolean }

export class ByteCache<E extends Entry> {
  readonly #limit: number
  readonly #kept = new Map<string, Kept<E>>()
  readonly #dependants = new Map<string, Set<string>>()
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get bytes(): number {
    return this.#bytes
  }

  get size(): number {
    return this.#kept.size
  }

  get(key: string): E | undefined {
    const kept = this.#kept.get(key)
    if (!kept) return undefined
    kept.used = true
    return kept.entry
  }

  /** An entry that alone is larger than the cache is not kept. */
  set(key: string, entry: E): void {
    this.#remove(key)
    if (entry.bytes > this.#limit) return
    this.#kept.set(key, { entry, used: false })
    this.#bytes += entry.bytes
    for (const name of entry.dependsOn) this.#dependantsOf(name).add(key)
    while (this.#bytes > this.#limit) this.#makeRoom()
  }

  /** Removes the entry of this name and all that depend on it, if `isOld` says so. */
  drop(name: string, isOld: (entry: E) => boolean): void {
    for (const key of [name, ...(this.#dependants.get(name) ?? [])]) {
      const kept = this.#kept.get(key)
      if (kept && isOld(kept.entry)) this.#remove(key)
    }
  }

  clear(): void {
    this.#kept.clear()
    this.#dependants.clear()
    this.#bytes = 0
  }

  #makeRoom(): void {
    const [oldest] = this.#kept
    if (!oldest) return
    const [key, kept] = oldest
    if (kept.used) {
      this.#kept.delete(key)
      this.#kept.set(key, { entry: kept.entry, used: false })
    } else {
      this.#remove(key)
    }
  }

  #remove(key: string): void {
    const kept = this.#kept.get(key)
    if (!kept) return
    this.#kept.delete(key)
    this.#bytes -= kept.entry.bytes
    for (const name of kept.entry.dependsOn) this.#forgetDependant(name, key)
  }

  #dependantsOf(name: string): Set<string> {
    const known = this.#dependants.get(name) ?? new Set<string>()
    this.#dependants.set(name, known)
    return known
  }

  #forgetDependant(name: string, key: string): void {
    const known = this.#dependants.get(name)
    known?.delete(key)
    if (known?.size === 0) this.#dependants.delete(name)
  }
}
