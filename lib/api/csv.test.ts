import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvOf, parseCsv } from './csv'

describe('csvOf', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx'])(
    'N20: %j is text, not a formula',
    (text) => {
      expect(csvOf(['a'], [[text]])).toContain(`'${text}`)
    },
  )

  test('commas, quotes and line breaks stay within their cell', () => {
    expect(csvOf(['a', 'b'], [['x,y', 'say "hi"\nthere']])).toBe(
      'a,b\r\n"x,y","say ""hi""\nthere"\r\n',
    )
  })
})

describe('parseCsv', () => {
  test('reads back whatever was written', () => {
    const cells = fc.array(fc.string(), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(cells, (row) => {
        // A quote before a formula is ours to take away, so a text that has one already is not.
        fc.pre(row.every((text) => !/^'[=+\-@\t\r]/.test(text)))
        expect(parseCsv(csvOf(['h1', 'h2'], [row]))).toEqual([['h1', 'h2'], row])
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
