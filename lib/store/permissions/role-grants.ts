import { type GrantSet, LazyGrantSet } from '../../access/policy'
import { grantsIn } from '../database/json-rows'

/**
 * The grants of all roles, as the text that the database sent. Most of a hundred thousand roles are
 * never asked about, so a role's text is read at its first use, and only the sets that were read last
 * stay objects.
 */

/** Objects take about six times the space of their text. */
const MAX_CHARACTERS = 8 * 1024 * 1024

/** Many texts in one piece of memory that the garbage collector does not walk through. */
export class Texts {
  readonly #bytes: Buffer
  readonly #ends: Uint32Array

  constructor(texts: readonly string[]) {
    const all = texts.join('')
    this.#bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(all))
    this.#bytes.write(all)
    let end = 0
    this.#ends = Uint32Array.from(texts, (text) => {
      end += Buffer.byteLength(text)
      return end
    })
  }

  at(index: number): string {
    const start = index === 0 ? 0 : this.#ends[index - 1]
    return this.#bytes.toString('utf8', start, this.#ends[index])
  }
}

export class RoleGrants extends LazyGrantSet {
  readonly #texts: Texts
  readonly #index: number
  #kept: Kept | null = null

  constructor(texts: Texts, index: number) {
    super()
    this.#texts = texts
    this.#index = index
  }

  protected read(): GrantSet {
    if (this.#kept?.set) return this.#kept.set
    const text = this.#texts.at(this.#index)
    const set = grantsIn(text)
    this.#kept = lately.keep(set, text.length)
    return set
  }
}

/** Null once others need the space. Without its role, whose text belongs to thousands of others. */
type Kept = { set: GrantSet | null; readonly length: number }

/** The oldest goes first, used or not: to read it again costs microseconds. */
class Lately {
  readonly #limit: number
  readonly #all = new Set<Kept>()
  #characters = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  keep(set: GrantSet, length: number): Kept {
    const newest: Kept = { set, length }
    this.#all.add(newest)
    this.#characters += length
    for (const oldest of this.#all) {
      if (this.#characters <= this.#limit || oldest === newest) break
      oldest.set = null
      this.#all.delete(oldest)
      this.#characters -= oldest.length
    }
    return newest
  }
}

const lately = new Lately(MAX_CHARACTERS)
