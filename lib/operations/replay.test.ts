import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../api/configuration/schema'
import { applyArguments, failuresOf, replayLines } from './replay'

describe('npm run apply -- --replay', () => {
  test.each([
    [['portal.json'], { file: 'portal.json', dryRun: false, replay: null }],
    [['portal.json', '--dry-run'], { file: 'portal.json', dryRun: true, replay: null }],
    [
      ['--replay', '30d', 'portal.json'],
      { file: 'portal.json', dryRun: false, replay: { days: 30, mostFlips: 0 } },
    ],
    [
      ['--replay=7', '--most-flips', '5', 'portal.json'],
      { file: 'portal.json', dryRun: false, replay: { days: 7, mostFlips: 5 } },
    ],
  ])('%j', (args, wanted) => {
    expect(applyArguments(args)).toEqual(wanted)
  })

  test.each([
    [[]],
    [['--replay', '30d']],
    [['portal.json', '--replay', 'a month']],
    [['portal.json', '--replay', '0d']],
    [['portal.json', '--replay', '1d', '--most-flips', '-1']],
    [['portal.json', '--repaly', '1d']],
  ])('%j is refused', (args) => {
    expect(() => applyArguments(args)).toThrow(ConfigurationError)
  })

  test.each<[string, number, number, number, number | undefined, number]>([
    ['nothing flips', 12, 0, 4, undefined, 0],
    ['as many as allowed', 12, 2, 4, 4, 0],
    ['more than allowed', 12, 3, 0, undefined, 1],
    ['nothing can be told', 0, 0, 4, undefined, 1],
    ['too much cannot be told', 12, 0, 4, 3, 1],
  ])('passes or fails: %s', (_what, scopes, toRefused, untold, mostUntold, failures) => {
    const sum = {
      decisions: 9,
      scopes,
      same: 9,
      toAllowed: 0,
      toRefused,
      changedSince: 0,
      tokensGained: 0,
      tokensLost: 0,
      unlisted: 0,
      flips: [],
      untold: [{ reason: 'subject_gone', times: untold }],
    }
    expect(failuresOf(sum, { days: 30, mostFlips: 2, mostUntold })).toHaveLength(failures)
  })

  test('says what flips, for whom, how often, and what it cannot tell', () => {
    const lines = replayLines(
      {
        decisions: 9,
        scopes: 12,
        same: 9,
        toAllowed: 1,
        toRefused: 2,
        changedSince: 0,
        tokensGained: 0,
        tokensLost: 0,
        unlisted: 0,
        untold: [{ reason: 'subject_gone', times: 4 }],
        flips: [
          {
            to: 'refused',
            scope: 'orders:read',
            code: 'user_not_permitted',
            times: 2,
            subject: { type: 'user', id: 'usr_1', name: 'Ann' },
            application: { id: 'app_1', name: null },
            lastAt: '',
          },
        ],
      },
      30,
    )
    expect(lines).toEqual([
      'replayed 9 decisions of the last 30 days, 12 scopes',
      '1 would be allowed, 2 would be refused, 9 stay as they are',
      '- orders:read: Ann at app_1, 2 times',
      '... and 1 more',
      'cannot be told: 4 (subject_gone)',
    ])
  })
})
