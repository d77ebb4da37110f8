/**
 * An application's own colour on the sign-in and consent pages. It is text, and ground for text:
 * what cannot be read on our paper is refused (WCAG 1.4.3), in the form and in the API alike.
 */

export const THEMES = ['light', 'dark'] as const
export type BrandTheme = (typeof THEMES)[number]

/** Null: the portal's own. */
export type Accents = { accent: string | null; accentDark: string | null }
export const NO_ACCENTS: Accents = { accent: null, accentDark: null }

/** WCAG 2.2, 1.4.3 */
export const LEAST_CONTRAST = 4.5

/** From app/globals.css, where a test compares: the ground on which a colour is hardest to read. */
export const GROUNDS: Readonly<Record<BrandTheme, string>> = { light: '#f5f6f3', dark: '#181d1a' }
export const OWN_ACCENTS: Readonly<Record<BrandTheme, string>> = {
  light: '#12604f',
  dark: '#7fcab2',
}

/** Words on a button of that colour. */
export const ON_ACCENTS: Readonly<Record<BrandTheme, string>> = {
  light: '#ffffff',
  dark: '#0b1a15',
}

const HEX = /^#[0-9a-f]{6}$/i

export function isColour(text: string): boolean {
  return HEX.test(text)
}

/** Null where it is no colour. */
export function contrastIn(theme: BrandTheme, colour: string): number | null {
  return isColour(colour) ? contrast(colour, GROUNDS[theme]) : null
}

export function isReadable(theme: BrandTheme, colour: string): boolean {
  return (contrastIn(theme, colour) ?? 0) >= LEAST_CONTRAST
}

/** WCAG 2.2, "contrast ratio" */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => linear(colour.slice(at, at + 2)))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(hex: string): number {
  const part = Number.parseInt(hex, 16) / 255
  return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
}

/** The tokens of app/globals.css for what `selector` names; empty where nothing differs. */
export function accentCss(selector: string, { accent, accentDark }: Accents): string {
  const light = accent ?? OWN_ACCENTS.light
  const dark = accentDark ?? OWN_ACCENTS.dark
  if ((accent === null && accentDark === null) || ![light, dark].every(isColour)) return ''
  const strong = `color-mix(in oklab, ${light} 82%, #000), color-mix(in oklab, ${dark} 82%, #fff)`
  const tokens = `--color-accent: light-dark(${light}, ${dark}); --color-accent-strong: light-dark(${strong});`
  // Browsers without either keep the portal's own.
  return `@supports (color: light-dark(#000, #fff)) and (color: color-mix(in oklab, #000, #fff)) { ${selector} { ${tokens} } }`
}
