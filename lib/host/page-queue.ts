/**
 * The thread that makes pages also answers everything else. With a few pages at a time it turns to
 * the others between them, so a token waits for a few pages and not for all that were asked for in
 * the same moment. The other pages wait in a queue, and what does not fit into it is refused.
 */

type Limits = {
  atOnce: number
  mostWaiting: number
  /** So long a page keeps its place: one that waits for a slow reader or a server costs nothing. */
  placeMs: number
}

const LIMITS: Limits = { atOnce: 4, mostWaiting: 400, placeMs: 500 }

type Leave = () => void

export class PageQueue {
  #made = 0
  readonly #waiting: (() => void)[] = []
  readonly #limits: Limits

  constructor(limits = LIMITS) {
    this.#limits = limits
  }

  /** Once it is this page's turn: a function that ends the turn. Null if too many wait already. */
  async enter(): Promise<Leave | null> {
    const { atOnce, mostWaiting } = this.#limits
    if (this.#made < atOnce) this.#made += 1
    else if (this.#waiting.length >= mostWaiting) return null
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.#place()
  }

  #place(): Leave {
    let isTaken = true
    const leave = () => {
      if (!isTaken) return
      isTaken = false
      clearTimeout(limit)
      this.#next()
    }
    const limit = setTimeout(leave, this.#limits.placeMs)
    return leave
  }

  /** The place goes to whoever has waited longest. */
  #next(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#made -= 1
  }
}
