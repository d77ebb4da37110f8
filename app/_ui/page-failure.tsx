'use client'

import { useSyncExternalStore } from 'react'
import { DEFAULT_LOCALE, isLocale, type Locale } from '@/lib/i18n/locales'
import { negotiateLocale } from '@/lib/i18n/negotiate'
import { Failure } from './failure'
import { FailureFrame } from './failure-frame'

type Props = { error: unknown; retry: () => void }

/** What is left of a page that failed. */
export function PageFailure({ error, retry }: Props) {
  const locale = useSyncExternalStore(never, documentLocale, () => DEFAULT_LOCALE)
  return (
    <FailureFrame>
      <Failure locale={locale} error={error} retry={retry} />
    </FailureFrame>
  )
}

/** For a page without a layout: only the browser knows the languages of its reader. */
export function useBrowserLocale(): Locale {
  return useSyncExternalStore(never, browserLocale, () => DEFAULT_LOCALE)
}

const never = () => () => {}

// When the page failed on the server, <html lang> is not there yet at the first render.
function documentLocale(): Locale {
  const { lang } = document.documentElement
  return isLocale(lang) ? lang : browserLocale()
}

function browserLocale(): Locale {
  return negotiateLocale({ acceptLanguage: navigator.languages.join() })
}
