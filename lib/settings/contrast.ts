/** Is a colour readable where we would put it? WCAG 2.2, 1.4.3: text needs 4.5:1. */

export const LEAST_CONTRAST = 4.5

/** What an accent is read on, and what is read on it: the tokens of app/globals.css. */
export const SURFACES = {
  light: { paper: '#f5f6f3', raised: '#fdfdfc', onAccent: '#ffffff' },
  dark: { paper: '#111513', raised: '#181d1a', onAccent: '#0b1a15' },
} as const

export type Scheme = keyof typeof SURFACES

type Rgb = [number, number, number]

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

/** `share` of the one colour in the other. */
export function mixed(one: string, other: string, share: number): string {
  const [a, b] = [rgbOf(one), rgbOf(other)]
  const parts = a.map((channel, at) => Math.round(channel * share + (b[at] ?? 0) * (1 - share)))
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

export function washOf(accent: string, scheme: Scheme): string {
  return mixed(accent, SURFACES[scheme].paper, 0.1)
}

/** The worst of all the places where the accent meets text. */
export function accentContrast(accent: string, scheme: Scheme): number {
  const { paper, raised, onAccent } = SURFACES[scheme]
  const places = [paper, raised, onAccent, washOf(accent, scheme)]
  return Math.min(...places.map((place) => contrast(accent, place)))
}

export function isReadable(accent: string, scheme: Scheme): boolean {
  return accentContrast(accent, scheme) >= LEAST_CONTRAST
}
