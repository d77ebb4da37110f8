import { describe, expect, test } from 'vitest'
import { RULES } from './checker'
import type { Call, Entry } from './log'
import { possible } from './possible'

/** Forged histories: each breaks one rule, and the same a little earlier or lost breaks none. */

const PROMISES = { staleMs: 1_000, replayMs: 10_000 }

function at(start: number, end: number | null, call: Call): Entry {
  return { client: 0, start, end, ...call }
}

function brokenBy(history: Entry[]): string[] {
  return Object.entries(RULES)
    .filter(([, rule]) => rule(history, PROMISES).length > 0)
    .map(([name]) => name)
}

const exchanged = at(0, 10, {
  op: 'exchange',
  user: 'u',
  code: 'c',
  given: { access: 'a1', refresh: 'r1' },
})
const refreshed = at(20, 30, {
  op: 'refresh',
  user: 'u',
  token: 'r1',
  given: { access: 'a2', refresh: 'r2' },
})
const introspect = (start: number, token: string, active = true): Entry =>
  at(start, start + 5, { op: 'introspect', token, active })
const revoke = (token: string, end: number | null): Entry => at(100, end, { op: 'revoke', token })
const change = (op: 'role' | 'user' | 'app', on: boolean, start: number, end: number | null) =>
  at(start, end, { op, name: op === 'app' ? 'm' : 'u', on })
const check = (start: number, allowed: boolean): Entry =>
  at(start, start + 5, { op: 'check', user: 'u', allowed })
const issue = (start: number, token: string | null): Entry =>
  at(start, start + 5, { op: 'issue', app: 'm', token })

const SOUND: [string, Entry[]][] = [
  ['nothing at all', []],
  ['a token that lives', [exchanged, refreshed, introspect(50, 'a1'), introspect(50, 'a2')]],
  ['active while it is being revoked', [exchanged, revoke('a1', 200), introspect(150, 'a1')]],
  [
    'active after a revocation that was lost',
    [exchanged, revoke('a1', null), introspect(900, 'a1')],
  ],
  ['another token of the grant', [exchanged, refreshed, revoke('a1', 200), introspect(300, 'a2')]],
  [
    'a code that was lost and then exchanged',
    [
      { ...exchanged, end: null },
      { ...exchanged, start: 20, end: 30 },
    ],
  ],
  [
    'the same successor within the window',
    [exchanged, refreshed, { ...refreshed, start: 9_000, end: 9_010 }],
  ],
  ['the same successor four times in all', Array<Entry>(4).fill(refreshed)],
  ['a role seen late, within the second', [change('role', true, 0, 10), check(900, false)]],
  [
    'a role that may have been given',
    [change('role', true, 0, null), check(9_000, false), check(9_100, true)],
  ],
  [
    'a token within the second',
    [change('user', false, 0, 5), { ...refreshed, start: 900, end: 910 }],
  ],
  [
    'enabled again',
    [
      change('user', false, 0, 5),
      change('user', true, 2_000, 2_010),
      { ...exchanged, start: 2_005, end: 2_020 },
    ],
  ],
  [
    'an application that is refused while it is disabled',
    [change('app', false, 0, 10), issue(5_000, null)],
  ],
]

const FORGED: [string, Entry[], string[]][] = [
  [
    'an access token after its revocation',
    [exchanged, revoke('a1', 200), introspect(201, 'a1')],
    ['revoked stays revoked'],
  ],
  [
    'an access token after its refresh token was revoked',
    [exchanged, refreshed, revoke('r1', 200), introspect(201, 'a2')],
    ['revoked stays revoked'],
  ],
  [
    'a refresh after the revocation of an older one of its chain',
    [
      exchanged,
      refreshed,
      revoke('r1', 200),
      at(201, 210, {
        op: 'refresh',
        user: 'u',
        token: 'r2',
        given: { access: 'a3', refresh: 'r3' },
      }),
    ],
    ['revoked stays revoked'],
  ],
  [
    'a code exchanged twice',
    [exchanged, { ...exchanged, given: { access: 'a9', refresh: 'r9' } } as Entry],
    ['one success per code'],
  ],
  [
    'two successors',
    [exchanged, refreshed, { ...refreshed, given: { access: 'a9', refresh: 'r9' } } as Entry],
    ['refresh chains are paths'],
  ],
  [
    'two predecessors',
    [exchanged, refreshed, { ...refreshed, token: 'other' } as Entry],
    ['refresh chains are paths'],
  ],
  [
    'a successor given again behind the window',
    [exchanged, refreshed, { ...refreshed, start: 10_031, end: 10_040 }],
    ['refresh chains are paths'],
  ],
  [
    'a decision by an old role',
    [change('role', true, 0, 10), check(1_011, false)],
    ['role changes are seen within the second'],
  ],
  [
    'a decision by a role that was taken',
    [change('role', true, 0, 10), change('role', false, 20, 30), check(1_031, true)],
    ['role changes are seen within the second'],
  ],
  [
    'a token for somebody who is disabled',
    [change('user', false, 0, 5), { ...exchanged, start: 1_006, end: 1_010 }],
    ['disabled users get no tokens'],
  ],
  [
    'a token from before that lives again with its user',
    [
      exchanged,
      change('user', false, 20, 30),
      change('user', true, 40, 50),
      introspect(2_000, 'a1'),
    ],
    ['tokens from before a user was disabled stay dead'],
  ],
  [
    'a token for an application that is disabled',
    [change('app', false, 0, 10), issue(1_011, 't')],
    ['disabled applications get no tokens, enabled ones do'],
  ],
  [
    'no token for an application that is enabled again',
    [change('app', false, 0, 10), change('app', true, 20, 30), issue(1_031, null)],
    ['disabled applications get no tokens, enabled ones do'],
  ],
  [
    'a live token of an application that is disabled',
    [issue(0, 't'), change('app', false, 10, 20), introspect(1_021, 't')],
    ['tokens of disabled applications are not active'],
  ],
]

describe('the checker of histories', () => {
  test.each(SOUND)('finds nothing wrong with %s', (_what, history) => {
    expect(brokenBy(history)).toEqual([])
  })

  test.each(FORGED)('finds %s', (_what, history, rules) => {
    expect(brokenBy(history)).toEqual(rules)
  })

  test('every rule has a history that breaks it', () => {
    expect(new Set(FORGED.flatMap(([, , rules]) => rules))).toEqual(new Set(Object.keys(RULES)))
  })

  test('a switch is what it was last set to, and anything while it is being set', () => {
    const changes = [
      { on: true, start: 10, end: 20 },
      { on: false, start: 30, end: null },
      { on: true, start: 50, end: 60 },
    ]
    const between = (from: number, to: number) => [...possible(changes, false, from, to)].sort()
    expect(between(0, 9)).toEqual([false])
    expect(between(15, 15)).toEqual([false, true])
    expect(between(21, 29)).toEqual([true])
    expect(between(40, 45)).toEqual([false, true])
    expect(between(61, 99)).toEqual([true])
  })
})
