import type { GrantSet } from '../access/policy'
import { grantsIn } from './json-rows'

/**
 * The grants of all roles, as the text that the database sent. Most of a hundred thousand roles are
 * never asked about, so a role's text is read at its first use, and only the sets that were read last
 * stay objects.
 */

/** Objects take about six times the space of their text. */
const MOST_CHARACTERS = 8 * 1024 * 1024

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

/** A class, because an object with accessors and closures of its own takes three times the memory. */
export class RoleGrants implements GrantSet {
  readonly #texts: Texts
  readonly #index: number
  #set: GrantSet | null = null

  constructor(texts: Texts, index: number) {
    this.#texts = texts
    this.#index = index
  }

  get exact(): GrantSet['exact'] {
    return this.#read().exact
  }

  get patterns(): GrantSet['patterns'] {
    return this.#read().patterns
  }

  get exchanges(): GrantSet['exchanges'] {
    return this.#read().exchanges
  }

  forget(): void {
    this.#set = null
  }

  #read(): GrantSet {
    if (this.#set) return this.#set
    const text = this.#texts.at(this.#index)
    this.#set = grantsIn(text)
    lately.add(this, text.length)
    return this.#set
  }
}

/** The oldest goes first, used or not: to read it again costs microseconds. */
class Lately {
  readonly #limit: number
  readonly #lengths = new Map<RoleGrants, number>()
  #characters = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(grants: RoleGrants, length: number): void {
    this.#lengths.set(grants, length)
    this.#characters += length
    for (const [oldest, its] of this.#lengths) {
      if (this.#characters <= this.#limit || oldest === grants) return
      oldest.forget()
      this.#lengths.delete(oldest)
      this.#characters -= its
    }
  }
}

const lately = new Lately(MOST_CHARACTERS)
