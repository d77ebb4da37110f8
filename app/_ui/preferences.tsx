import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { currentMessages, currentPath, currentSettings, readerLocale } from '@/lib/browser/locale'
import { isTheme, THEME_COOKIE, themes } from '@/lib/browser/theme'
import { languages } from '@/lib/i18n'

/** Language and appearance: plain forms, so that they need no script. */
export async function Preferences() {
  const { frame, login } = await currentMessages()
  const locale = await readerLocale()
  const { offered } = (await currentSettings()).languages
  const stored = (await cookies()).get(THEME_COOKIE)?.value
  const theme = isTheme(stored) ? stored : 'system'
  const returnTo = await currentPath()
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 text-small">
      {offered.length > 1 && (
        <Choices name="locale" legend={frame.language} returnTo={returnTo}>
          <select
            name="locale"
            aria-label={frame.language}
            defaultValue={locale}
            autoComplete="off"
            className="min-h-9 rounded-control border border-edge bg-raised px-2 text-ink"
          >
            {offered.map((value) => (
              <option key={value} value={value} lang={value}>
                {languages[value].name}
              </option>
            ))}
          </select>
          <button type="submit" className="preference">
            {login.change}
          </button>
        </Choices>
      )}
      <Choices name="theme" legend={frame.theme} returnTo={returnTo}>
        {themes.map((value) => (
          <Choice key={value} name="theme" value={value} chosen={value === theme}>
            {frame.themes[value]}
          </Choice>
        ))}
      </Choices>
    </div>
  )
}

type ChoicesProps = { name: string; legend: string; returnTo: string; children: ReactNode }

function Choices({ name, legend, returnTo, children }: ChoicesProps) {
  return (
    <form method="post" action="/preferences" aria-label={legend} data-preference={name}>
      <input type="hidden" name="returnTo" value={returnTo} />
      <div className="flex flex-wrap items-center gap-1">{children}</div>
    </form>
  )
}

type ChoiceProps = {
  name: string
  value: string
  chosen: boolean
  children: ReactNode
}

function Choice({ name, value, chosen, children }: ChoiceProps) {
  return (
    <button type="submit" name={name} value={value} aria-pressed={chosen} className="preference">
      {children}
    </button>
  )
}
