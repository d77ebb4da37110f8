/**
 * An immutable map in parts. A changed copy shares every part that did not change, so it costs the
 * same whether the map has a hundred entries or a hundred thousand.
 */

const PARTS = 512

type Part<V> = ReadonlyMap<string, V>

export class PartedMap<V> implements ReadonlyMap<string, V> {
  readonly size: number
  readonly #parts: readonly Part<V>[]

  private constructor(parts: readonly Part<V>[], size: number) {
    this.#parts = parts
    this.size = size
  }

  static of<V>(entries: Iterable<readonly [string, V]>): PartedMap<V> {
    const empty: Part<V> = new Map()
    return new PartedMap<V>(Array(PARTS).fill(empty), 0).with(entries)
  }

  /** A copy in which these entries are replaced; `undefined` removes one. */
  with(entries: Iterable<readonly [string, V | undefined]>): PartedMap<V> {
    const parts = [...this.#parts]
    const copied = new Map<number, Map<string, V>>()
    let { size } = this
    for (const [key, value] of entries) {
      const at = partOf(key)
      const part = copied.get(at) ?? new Map(parts[at])
      copied.set(at, part)
      parts[at] = part
      const before = part.size
      if (value === undefined) part.delete(key)
      else part.set(key, value)
      size += part.size - before
    }
    return new PartedMap(parts, size)
  }

  get(key: string): V | undefined {
    return this.#parts[partOf(key)]?.get(key)
  }

  has(key: string): boolean {
    return this.#parts[partOf(key)]?.has(key) ?? false
  }

  *entries(): MapIterator<[string, V]> {
    for (const part of this.#parts) yield* part.entries()
  }

  *keys(): MapIterator<string> {
    for (const part of this.#parts) yield* part.keys()
  }

  *values(): MapIterator<V> {
    for (const part of this.#parts) yield* part.values()
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries()
  }

  forEach(use: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.entries()) use(value, key, this)
  }
}

/** The end of a name differs most: IDs begin alike. */
function partOf(key: string): number {
  let hash = 0
  for (let at = Math.max(0, key.length - 8); at < key.length; at += 1) {
    hash = (hash * 31 + key.charCodeAt(at)) | 0
  }
  return (hash >>> 0) % PARTS
}
