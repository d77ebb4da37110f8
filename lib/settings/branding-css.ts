import { mixed, SURFACES, type Theme, washOf } from '../base/contrast'
import type { Branding } from './model'

/**
 * The colour tokens of app/globals.css that follow from the accent; empty if the accent is the
 * default.
 */
export function brandingCss({ accent }: Pick<Branding, 'accent'>): string {
  if (!accent) return ''
  const tokens = Object.entries({
    accent: (theme: Theme) => accent[theme],
    'accent-strong': (theme: Theme) => mixed(accent[theme], TOWARDS[theme], 0.8),
    wash: (theme: Theme) => washOf(accent[theme], theme),
    'gate-dark': (theme: Theme) => (theme === 'light' ? accent.light : SHADE),
    'gate-sky': (theme: Theme) => mixed(accent[theme], SURFACES[theme].paper, 0.2),
    'gate-hill': (theme: Theme) => mixed(accent[theme], '#808080', 0.8),
    'gate-light': (theme: Theme) => accent[theme],
  }).map(([token, of]) => `--color-${token}:light-dark(${of('light')},${of('dark')})`)
  return `:root{${tokens.join(';')}}\n`
}

/** The dark background behind the gate, for every accent. */
const SHADE = '#0c1310'

/** Stronger means darker on light pages and lighter on dark pages. */
const TOWARDS = { light: '#000000', dark: '#ffffff' } as const
