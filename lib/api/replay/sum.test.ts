import { describe, expect, test } from 'vitest'
import {
  addRefusals,
  addReplays,
  type FlipLine,
  MAX_FLIPS,
  type RefusalLine,
  type ReplaySum,
} from './sum'

/** The parts of a replay, added up where they are shown. */

const flip = (more: Partial<FlipLine> = {}): FlipLine => ({
  to: 'allowed',
  scope: 'orders:read',
  code: 'not_granted',
  times: 1,
  lastAt: '2026-11-15T12:00:00.000Z',
  subject: { type: 'user', id: 'usr_1', name: 'Ada' },
  application: { id: 'app_1', name: 'Shop' },
  ...more,
})
const sum = (more: Partial<ReplaySum> = {}): ReplaySum => ({
  decisions: 1,
  scopes: 2,
  same: 3,
  toAllowed: 4,
  toRefused: 5,
  changedSince: 6,
  tokensGained: 7,
  tokensLost: 8,
  untold: [],
  flips: [],
  unlisted: 9,
  ...more,
})

describe('two parts', () => {
  test('have every number of both', () => {
    expect(addReplays(sum(), sum())).toMatchObject({
      decisions: 2,
      scopes: 4,
      same: 6,
      toAllowed: 8,
      toRefused: 10,
      changedSince: 12,
      tokensGained: 14,
      tokensLost: 16,
      unlisted: 18,
    })
  })

  test('keep what only the later one knows', () => {
    const later = { ...sum({ policyChanged: true }), next: null, progress: 1 }
    expect(addReplays(sum({ policyChanged: false }), later)).toMatchObject({
      policyChanged: true,
      next: null,
      progress: 1,
    })
  })

  test('are not changed by being added', () => {
    const [one, other] = [sum({ flips: [flip()] }), sum({ flips: [flip()] })]
    const before = structuredClone([one, other])
    addReplays(one, other)
    expect([one, other]).toEqual(before)
  })
})

describe('the same flip', () => {
  const flips = (...lines: FlipLine[]) =>
    addReplays(sum({ flips: lines.slice(0, 1) }), sum({ flips: lines.slice(1) })).flips

  test('is one line, with the last of its times and reasons', () => {
    const later = flip({ times: 4, lastAt: '2026-11-16T12:00:00.000Z', code: 'denied' })
    expect(flips(flip(), later)).toEqual([{ ...later, times: 5 }])
  })

  test('is another of another subject, application, scope or direction', () => {
    const others = [
      flip({ to: 'refused' }),
      flip({ scope: 'orders:write' }),
      flip({ subject: { type: 'user', id: 'usr_2', name: null } }),
      flip({ application: { id: 'app_2', name: null } }),
    ]
    expect(flips(flip(), ...others)).toHaveLength(5)
  })

  test('comes before those that are less frequent; what does not fit is counted', () => {
    const many = Array.from({ length: MAX_FLIPS + 3 }, (_, at) =>
      flip({ scope: `s:${at}`, times: at + 1 }),
    )
    const added = addReplays(sum({ unlisted: 0 }), sum({ flips: many, unlisted: 0 }))
    expect(added.flips.map(({ times }) => times).slice(0, 2)).toEqual([
      MAX_FLIPS + 3,
      MAX_FLIPS + 2,
    ])
    expect([added.flips.length, added.unlisted]).toEqual([MAX_FLIPS, 1 + 2 + 3])
  })
})

describe('refusals', () => {
  const settling = (
    id: string,
    times: number,
    what: 'add_to_role' | 'widen_key' = 'add_to_role',
  ) => ({
    do: what,
    id,
    name: null,
    space: null,
    times,
    newlyAllows: null,
    atLeast: false,
  })
  const line = (scope: string, times: number, ...settlings: ReturnType<typeof settling>[]) => ({
    scope,
    times,
    settlings,
  })

  test('of a scope are one line, with the change first that settles most of both parts', () => {
    const before: RefusalLine[] = [line('a', 5, settling('r1', 5), settling('r2', 3))]
    const part: RefusalLine[] = [line('a', 4, settling('r2', 4), settling('r3', 1))]
    const [added] = addRefusals(before, part)
    expect(added?.times).toBe(9)
    expect(added?.settlings.map(({ id, times }) => [id, times])).toEqual([
      ['r2', 7],
      ['r1', 5],
      ['r3', 1],
    ])
  })

  test('are settled by two things of one name apart', () => {
    const [added] = addRefusals(
      [line('a', 1, settling('x', 1))],
      [line('a', 1, settling('x', 1, 'widen_key'))],
    )
    expect(added?.settlings).toHaveLength(2)
  })

  test('are listed up to a limit, the most frequent first', () => {
    const many = Array.from({ length: 150 }, (_, at) => line(`s:${at}`, at))
    const added = addRefusals([], many)
    expect([added.length, added[0]?.times, added.at(-1)?.times]).toEqual([100, 149, 50])
    const settlings = Array.from({ length: 80 }, (_, at) => settling(`r${at}`, at))
    const [one] = addRefusals([], [line('a', 1, ...settlings)])
    expect([one?.settlings.length, one?.settlings[0]?.times]).toEqual([50, 79])
  })
})
