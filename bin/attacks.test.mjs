import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { citations, comments, generate } from './attacks.mjs'

test('every row of docs/attacks.md has a test, and every cited row exists', () => {
  const script = fileURLToPath(new URL('attacks.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
})

describe('the list of attacks', () => {
  const head = '| id | input | expected answer | source | tests |\n|---|---|---|---|---|\n'
  const row = (id, last = '') => `| ${id} | in | out | RFC | ${last} |`
  const cited = (...titles) =>
    citations([
      { file: 'e2e/x.test.ts', text: titles.map((title) => `test('${title}')`).join('\n') },
    ])

  test('says which tests show a row', () => {
    const { text, problems } = generate(head + row('A1'), cited('A1: one', 'two (A1)'))
    expect(problems).toEqual([])
    expect(text).toBe(head + row('A1', '[e2e/x.test.ts](../e2e/x.test.ts): A1: one and 1 more'))
  })

  test.each([
    ['a row without a test', row('A1'), [], ['A1 has no test']],
    [
      'a title with an unknown id',
      row('A1'),
      ['A1, A2: one'],
      ['e2e/x.test.ts: "A1, A2: one" cites A2, which is not in the list'],
    ],
    ['a row twice', `${row('A1')}\n${row('A1')}`, ['A1: one'], ['A1 is in the list twice']],
    [
      'a row that does not apply and has a test',
      row('A1', 'Not applicable: not offered.'),
      ['A1: one'],
      ['A1 is not applicable, and a test cites it'],
    ],
    ['a row that does not apply', row('A1', 'Not applicable: not offered.'), [], []],
  ])('%s', (_what, rows, titles, expected) => {
    expect(generate(head + rows, cited(...titles)).problems).toEqual(expected)
  })

  test('a comment with an unknown id is found too', () => {
    const mentioned = comments([{ file: 'lib/x.ts', text: '/** Sent once (attack A1, A9). */' }])
    expect(generate(head + row('A1'), cited('A1: one'), mentioned).problems).toEqual([
      'lib/x.ts: "attack A1, A9" cites A9, which is not in the list',
    ])
  })

  test('a formula of a spreadsheet and other words are no citation', () => {
    expect(cited('@SUM(A1)', 'A256GCM: x', 'P2002: x', 'IPv6 (B)')).toEqual([])
  })
})
