import { isColour, type Theme } from './contrast'

/**
 * The colour of an application on the sign-in and consent pages. It is used for text and behind
 * text, so an unreadable colour is refused (`isReadable`) by the form and by the API.
 */

/** Null for the colour of the portal. */
export type Accents = { accent: string | null; accentDark: string | null }

/** What the application says on each of the two pages. */
export const BRAND_TEXTS = ['signInText', 'consentText'] as const
export type BrandText = (typeof BRAND_TEXTS)[number]

/** Links to pages of the operator, at the foot of the sign-in and consent pages. */
export const LINKS = ['privacy', 'terms', 'help'] as const
export type Links = Readonly<Record<(typeof LINKS)[number], string | null>>

/** A logo for each theme, and a picture beside the sign-in. */
export const PICTURES = ['light', 'dark', 'picture'] as const
export type PicturePlace = (typeof PICTURES)[number]
/** The ID of each; null if there is none. */
export type Pictures = Readonly<Record<PicturePlace, string | null>>

export const OWN_ACCENTS: Readonly<Record<Theme, string>> = {
  light: '#12604f',
  dark: '#7fcab2',
}

/** The colour tokens of app/globals.css for `selector`; empty if nothing differs. */
export function accentCss(selector: string, { accent, accentDark }: Accents): string {
  const light = accent ?? OWN_ACCENTS.light
  const dark = accentDark ?? OWN_ACCENTS.dark
  if ((accent === null && accentDark === null) || ![light, dark].every(isColour)) return ''
  const strong = `color-mix(in oklab, ${light} 82%, #000), color-mix(in oklab, ${dark} 82%, #fff)`
  const tokens = `--color-accent: light-dark(${light}, ${dark}); --color-accent-strong: light-dark(${strong});`
  // Browsers that support neither keep the colours of the portal.
  return `@supports (color: light-dark(#000, #fff)) and (color: color-mix(in oklab, #000, #fff)) { ${selector} { ${tokens} } }`
}
