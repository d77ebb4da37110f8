import { describe, expect, test } from 'vitest'
import { CONTEXT_FIELDS, contextOf, textsIn } from './context-fields'

describe('the context in a page’s address', () => {
  test('what is empty, there twice or not known is left out', () => {
    const params = { ip: ' 10.0.0.1 ', acr: '', amr: ['pwd', 'otp'], other: 'x' }
    expect(textsIn(params, CONTEXT_FIELDS)).toEqual({ ip: '10.0.0.1' })
  })

  test('in the words of the API', () => {
    expect(
      contextOf({
        time: '2026-01-02T03:04',
        amr: 'pwd  otp',
        authAge: '60',
        properties: '{"a":1}',
      }),
    ).toEqual({
      time: '2026-01-02T03:04:00Z',
      amr: ['pwd', 'otp'],
      authAge: 60,
      properties: { a: 1 },
    })
    expect(contextOf({ time: '2026-01-02T03:04:05+02:00' })).toEqual({
      time: '2026-01-02T03:04:05+02:00',
    })
    expect(contextOf({})).toEqual({})
  })

  test.each(['[]', '1', 'null', '{', '"a"'])('%s is no JSON object', (properties) => {
    expect(contextOf({ properties })).toBeNull()
  })
})
