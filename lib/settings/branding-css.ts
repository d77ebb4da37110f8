import { mixed, type Scheme, SURFACES, washOf } from './contrast'
import type { Branding } from './model'

/** The tokens of app/globals.css that follow from the accent; nothing where it is our own. */
export function brandingCss({ accent }: Branding): string {
  if (!accent) return ''
  const tokens = Object.entries({
    accent: (scheme: Scheme) => accent[scheme],
    'accent-strong': (scheme: Scheme) => mixed(accent[scheme], TOWARDS[scheme], 0.8),
    wash: (scheme: Scheme) => washOf(accent[scheme], scheme),
    'gate-dark': (scheme: Scheme) => (scheme === 'light' ? accent.light : SHADE),
    'gate-sky': (scheme: Scheme) => mixed(accent[scheme], SURFACES[scheme].paper, 0.2),
    'gate-hill': (scheme: Scheme) => mixed(accent[scheme], '#808080', 0.8),
    'gate-light': (scheme: Scheme) => accent[scheme],
  }).map(([token, of]) => `--color-${token}:light-dark(${of('light')},${of('dark')})`)
  return `:root{${tokens.join(';')}}\n`
}

/** Behind the gate at night, whatever the colour. */
const SHADE = '#0c1310'

/** Stronger is darker on light paper, and lighter on dark. */
const TOWARDS = { light: '#000000', dark: '#ffffff' } as const
