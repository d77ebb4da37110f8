import { describe, expect, test } from 'vitest'
import { differences, stepsIn } from './guides'

describe('the reader of guides', () => {
  test('finds the commands, and the answer after them', () => {
    const text = '# T\n\n```sh\ncurl x\n```\n\n```json\n{"a":1}\n```\n\n```console\n$ y\n```\n'
    expect(stepsIn(text, 'docs/x.md')).toEqual([{ commands: 'curl x', answer: '{"a":1}' }])
  })

  test('an answer may say more, and nothing else', () => {
    const said = { code: 'stale', token: 'eyJhbGci', list: [{ a: 1, b: 2 }] }
    expect(differences({ token: 'eyJ...', list: [{ a: 1 }] }, said)).toEqual([])
    expect(differences({ code: 'fault' }, said)).toEqual(['answer.code'])
    expect(differences({ list: [] }, said)).toEqual(['answer.list has not 0 entries'])
    expect(differences({ missing: null }, said)).toEqual(['answer.missing'])
  })
})
