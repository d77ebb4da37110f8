import fc, { type Arbitrary } from 'fast-check'
import { type Random, randomFrom } from '../random'

/** One value after the other, all from one seed. */
export type Samples = Random & {
  at(most: number): number
  one<T>(arbitrary: Arbitrary<T>): T
}

export function samplesFrom(seed: number): Samples {
  const random = randomFrom(seed)
  const at = (most: number) => Math.floor(random.next() * most)
  return {
    ...random,
    at,
    one<T>(arbitrary: Arbitrary<T>): T {
      const [value] = fc.sample(arbitrary, { numRuns: 1, seed: at(2 ** 31) })
      return value as T
    },
  }
}
