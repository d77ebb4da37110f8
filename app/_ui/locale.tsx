'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { Locale } from '@/lib/i18n'

const Current = createContext<Locale>('en')

/** The language of the page, for what runs in the browser: it writes numbers and counts. */
export function LocaleProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  return <Current value={locale}>{children}</Current>
}

export function useLocale(): Locale {
  return useContext(Current)
}
