import { seeded } from './seeded'

/** Choices that a run can have again by its seed. */

export type Random = {
  /** From 0 up to 1. */
  next(): number
  pick<T>(list: readonly T[]): T | undefined
  chance(probability: number): boolean
}

export function randomFrom(seed: number): Random {
  const next = seeded(seed)
  return {
    next,
    pick: (list) => list[Math.floor(next() * list.length)],
    chance: (probability) => next() < probability,
  }
}
