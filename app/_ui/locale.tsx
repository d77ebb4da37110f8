'use client'

import { createContext, type ReactNode, useContext } from 'react'
import type { Locale } from '@/lib/i18n'
import { Zone } from './zone'

/** What a page says where there is nothing to see. */
export type DeadEnds = {
  name: string
  back: string
  notFound: { title: string; text: string }
  forbidden: { title: string; text: string }
}

type OfPage = { locale: Locale; deadEnds: DeadEnds | null }

const Current = createContext<OfPage>({ locale: 'en', deadEnds: null })

type Props = { locale: Locale; deadEnds: DeadEnds; children: ReactNode }

/** The language of the page, for what runs in the browser: it writes numbers and counts. */
export function LocaleProvider({ locale, deadEnds, children }: Props) {
  return (
    <Current value={{ locale, deadEnds }}>
      {children}
      <Zone />
    </Current>
  )
}

export function useLocale(): Locale {
  return useContext(Current).locale
}

export function useDeadEnds(): DeadEnds | null {
  return useContext(Current).deadEnds
}
