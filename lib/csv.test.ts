import { describe, expect, test } from 'vitest'
import { toCsv } from './csv'

describe('toCsv', () => {
  test('quotes what would break a line or a cell', () => {
    const rows = [['a,b', 'say "hi"', 'two\r\nlines', null, 7, true]] as const
    expect(toCsv(['one', 'two', 'three', 'four', 'five', 'six'], rows)).toBe(
      'one,two,three,four,five,six\r\n"a,b","say ""hi""","two\r\nlines",,7,true\r\n',
    )
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])('N20: %j is text and no formula', (text) => {
    expect(toCsv(['x'], [[text]])).toBe(`x\r\n'${text}\r\n`)
  })

  test('N20: a formula behind a line break, too', () => {
    expect(toCsv(['x'], [['\r\n=1+1']])).toBe('x\r\n"\'\r\n=1+1"\r\n')
  })
})
