import { expect, test } from 'vitest'
import { search } from './search'

const section = (heading: string, text: string, document = 'Guide') => ({
  href: `/docs/guide#${heading}`,
  document,
  heading,
  text,
})

const sections = [
  section('First', 'A refresh token is used once.'),
  section('Refresh', 'How to get a new one.'),
  section('Third', 'Nothing about it. The word tokens is in it.'),
]

test('a word in the heading is worth more than one in the text', () => {
  expect(search(sections, 'refresh').map(({ heading }) => heading)).toEqual(['Refresh', 'First'])
})

test('a whole word of a heading is worth more than a part of one, and than any text', () => {
  const both = [
    section('Corset', 'cors cors cors', 'Cors'),
    section('Text', 'cors', 'Cors'),
    section('Origins (CORS)', 'Nothing else.'),
  ]
  const found = search(both, 'cors').map(({ heading }) => heading)
  expect(found).toEqual(['Origins (CORS)', 'Corset', 'Text'])
})

test('a whole word of the text is worth more than the beginning of one', () => {
  const both = [section('One', 'Signs out: logout.'), section('Two', 'It has a log.')]
  expect(search(both, 'log').map(({ heading }) => heading)).toEqual(['Two', 'One'])
})

test('small words of a question are not looked for, unless there are no others', () => {
  expect(search(sections, 'How do I get the refresh token?')).toEqual(
    search(sections, 'refresh token'),
  )
  expect(search(sections, 'how').map(({ heading }) => heading)).toEqual(['Refresh'])
})

test('a section that is found last stands behind all others', () => {
  const all = [{ ...section('Refresh', 'refresh'), isLast: true as const }, ...sections]
  expect(
    search(all, 'refresh')
      .map(({ href }) => href)
      .at(-1),
  ).toBe('/docs/guide#Refresh')
  expect(search(all, 'refresh')).toHaveLength(3)
})

test('all words are needed, in any order, in either case', () => {
  expect(search(sections, 'TOKEN refresh').map(({ heading }) => heading)).toEqual(['First'])
  expect(search(sections, 'refresh unicorn')).toEqual([])
})

test('a part of a word finds it, and the beginning of a word comes first', () => {
  expect(search(sections, 'toke').map(({ heading }) => heading)).toEqual(['First', 'Third'])
  expect(search(sections, 'oken')).toHaveLength(2)
})

test('the title of a document finds its sections only with another word of theirs', () => {
  expect(search(sections, 'guide')).toEqual([])
  expect(search(sections, 'guide refresh').map(({ heading }) => heading)).toContain('First')
})

test('an empty question finds nothing', () => {
  expect(search(sections, '   ')).toEqual([])
})

test('the excerpt shows the word, in whole words', () => {
  const long = section('Long', `${'before '.repeat(40)}needle ${'after '.repeat(60)}`)
  const [hit] = search([long], 'needle')
  expect(hit?.excerpt).toMatch(/^… (before )+needle (after )+…$/)
})

test('a long question and strange characters are only text', () => {
  expect(search(sections, '.*('.repeat(1_000))).toEqual([])
})
