import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCsv, toCsv } from './csv'

describe('toCsv', () => {
  test('quotes what would break a line or a cell', () => {
    const rows = [['a,b', 'say "hi"', 'two\r\nlines', null, 7, true]] as const
    expect(toCsv(['one', 'two', 'three', 'four', 'five', 'six'], rows)).toBe(
      'one,two,three,four,five,six\r\n"a,b","say ""hi""","two\r\nlines",,7,true\r\n',
    )
  })

  test.each([
    ['Bob;=1+cmd|x', "Bob;'=1+cmd|x"],
    ['a;b;-1', "a;b;'-1"],
    ['a;＋1', "a;'＋1"],
    ['two\r\n=1', `"two\r\n'=1"`],
  ])('N20: %j is no formula for a spreadsheet that separates by semicolons', (text, cell) => {
    expect(toCsv(['x'], [[text]])).toBe(`x\r\n${cell}\r\n`)
  })

  const WIDE = ['＝1+1', '＋1', '－1', '＠SUM(A1)']
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ...WIDE])(
    'N20: %j is text and no formula',
    (text) => {
      expect(toCsv(['x'], [[text]])).toBe(`x\r\n'${text}\r\n`)
    },
  )

  test('N20: a formula behind a line break, too', () => {
    expect(toCsv(['x'], [['\r\n=1+1']])).toBe('x\r\n"\'\r\n\'=1+1"\r\n')
  })
})

describe('parseCsv', () => {
  test('reads back whatever was written', () => {
    const text = fc.string({ unit: fc.constantFrom(...'\'=+-@;,＝\r\n\t" a') })
    const cells = fc.array(fc.oneof(fc.string(), text), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(cells, (row) => {
        expect(parseCsv(toCsv(['h1', 'h2'], [row]))).toEqual([['h1', 'h2'], row])
      }),
    )
  })

  test.each(['a,"b', 'a"b,c', '"a"b,c'])('%j is no table', (text) =>
    expect(parseCsv(text)).toBeNull(),
  )

  test('a byte order mark, bare line feeds and empty last cells', () => {
    expect(parseCsv('\uFEFFa,b\n1,\n\n2,3')).toEqual([
      ['a', 'b'],
      ['1', ''],
      ['2', '3'],
    ])
  })
})
