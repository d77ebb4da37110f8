import { isColour, type Theme } from './contrast'

/**
 * An application's own colour on the sign-in and consent pages. It is text, and ground for text:
 * what cannot be read is refused (`isReadable`), in the form and in the API alike.
 */

/** Null: the portal's own. */
export type Accents = { accent: string | null; accentDark: string | null }
export const NO_ACCENTS: Accents = { accent: null, accentDark: null }

export const OWN_ACCENTS: Readonly<Record<Theme, string>> = {
  light: '#12604f',
  dark: '#7fcab2',
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
