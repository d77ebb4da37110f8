import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  accentCss,
  contrast,
  contrastIn,
  GROUNDS,
  isReadable,
  ON_ACCENTS,
  OWN_ACCENTS,
} from './branding'

const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8')

function token(name: string): { light: string; dark: string } {
  const found = new RegExp(`--color-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)
  return { light: found?.[1] ?? '', dark: found?.[2] ?? '' }
}

describe('the tokens of the style sheet', () => {
  test('are the ones that colours are held against', () => {
    expect(token('accent')).toEqual(OWN_ACCENTS)
    expect(token('on-accent')).toEqual(ON_ACCENTS)
    expect(GROUNDS).toEqual({ light: token('paper').light, dark: token('raised').dark })
  })

  test('whatever is readable on the ground is so on the others, and under a button’s words', () => {
    for (const other of ['raised', 'on-accent']) {
      expect(contrast('#000000', token(other).light)).toBeGreaterThanOrEqual(
        contrast('#000000', GROUNDS.light),
      )
    }
    for (const other of ['paper', 'on-accent']) {
      expect(contrast('#ffffff', token(other).dark)).toBeGreaterThanOrEqual(
        contrast('#ffffff', GROUNDS.dark),
      )
    }
  })
})

test('contrast is what WCAG says it is', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#ffffff', '#777777')).toBeCloseTo(4.48, 2)
})

test.each([
  ['light', '#12604f', true],
  ['light', '#ffcc00', false],
  ['dark', '#12604f', false],
  ['dark', '#ffcc00', true],
] as const)('in %s, %s is readable: %s', (theme, colour, readable) => {
  expect(isReadable(theme, colour)).toBe(readable)
})

test('what is no colour has no contrast, and never reaches a style sheet', () => {
  for (const text of ['red', '#fff', '#12345g', '#000000;}', '']) {
    expect(contrastIn('light', text)).toBeNull()
    if (text !== '') expect(accentCss(':root', { accent: text, accentDark: null })).toBe('')
  }
  expect(accentCss(':root', { accent: null, accentDark: null })).toBe('')
  expect(accentCss('.brand', { accent: '#123456', accentDark: null })).toContain(
    '.brand { --color-accent: light-dark(#123456, #7fcab2);',
  )
})
