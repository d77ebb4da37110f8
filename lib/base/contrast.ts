/** Is a colour readable where the pages use it? WCAG 2.2, 1.4.3: text needs 4.5:1. */

export const MIN_CONTRAST = 4.5

/** The colours behind an accent and on an accent: the tokens of app/globals.css. */
export const SURFACES = {
  light: { paper: '#f5f6f3', raised: '#fdfdfc', onAccent: '#ffffff' },
  dark: { paper: '#111513', raised: '#181d1a', onAccent: '#0b1a15' },
} as const

export const THEMES = ['light', 'dark'] as const satisfies (keyof typeof SURFACES)[]
export type Theme = (typeof THEMES)[number]

const HEX = /^#[0-9a-f]{6}$/i

export function isColour(text: string): boolean {
  return HEX.test(text)
}

type Rgb = [number, number, number]

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(hex).map(linear)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

/** WCAG 2.2, "contrast ratio" */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Mixes `share` of the first colour into the other. */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [rgbOf(one), rgbOf(other)]
  const parts = a.map((channel, at) => Math.round(channel * share + (b[at] ?? 0) * (1 - share)))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

export function washOf(accent: string, theme: Theme): string {
  return mixed(accent, SURFACES[theme].paper, 0.1)
}

/**
 * The lowest contrast of all places where an accent meets text: page, panels, buttons and tinted
 * areas.
 */
export function accentContrast(accent: string, theme: Theme): number {
  const { paper, raised, onAccent } = SURFACES[theme]
  const places = [paper, raised, onAccent, washOf(accent, theme)]
  return Math.min(...places.map((place) => contrast(accent, place)))
}

export function isReadable(accent: string, theme: Theme): boolean {
  return isColour(accent) && accentContrast(accent, theme) >= MIN_CONTRAST
}
