import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accentCss, OWN_ACCENTS } from './branding'
import { contrast, isReadable, SURFACES } from './contrast'

const css = readFileSync(new URL('../../app/globals.css', import.meta.url), 'utf8')

function token(name: string): { light: string; dark: string } {
  const found = new RegExp(`--color-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)
  return { light: found?.[1] ?? '', dark: found?.[2] ?? '' }
}

describe('the tokens of the style sheet', () => {
  test('are the ones that colours are held against', () => {
    expect(token('accent')).toEqual(OWN_ACCENTS)
    for (const [name, member] of Object.entries({
      paper: 'paper',
      raised: 'raised',
      'on-accent': 'onAccent',
    } as const)) {
      const { light, dark } = SURFACES
      expect(token(name)).toEqual({ light: light[member], dark: dark[member] })
    }
  })

  test('have one value, also where they are declared again', () => {
    const declared = [...css.matchAll(/--color-([\w-]+): (light-dark\([^)]+\))/g)]
    const names = new Set(declared.map(([, name]) => name))
    const values = new Set(declared.map(([whole]) => whole))
    expect(values.size).toBe(names.size)
    expect(declared.length).toBeGreaterThan(names.size)
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
  // Readable on paper, but not on a wash of its own colour.
  ['light', '#0069e1', false],
] as const)('in %s, %s is readable: %s', (theme, colour, readable) => {
  expect(isReadable(colour, theme)).toBe(readable)
})

test('what is no colour is not readable, and never reaches a style sheet', () => {
  for (const text of ['red', '#fff', '#12345g', '#000000;}', '']) {
    expect(isReadable(text, 'light')).toBe(false)
    if (text !== '') expect(accentCss(':root', { accent: text, accentDark: null })).toBe('')
  }
  expect(accentCss(':root', { accent: null, accentDark: null })).toBe('')
  expect(accentCss('.brand', { accent: '#123456', accentDark: null })).toContain(
    '.brand { --color-accent: light-dark(#123456, #7fcab2);',
  )
})
