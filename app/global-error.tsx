'use client'

import { DEFAULT_LOCALE, locales } from '@/lib/i18n/locales'
import { Failure } from './_ui/failure'
import { FailureFrame } from './_ui/failure-frame'
import { fontVariables } from './_ui/fonts'
import './globals.css'

type Props = { error: unknown; retry: () => void }

/** The layout itself failed, so nobody knows the reader's language: say it in each. */
export default function GlobalError({ error, retry }: Props) {
  return (
    <html lang={DEFAULT_LOCALE} className={fontVariables}>
      <body>
        <title>Gatehouse</title>
        <FailureFrame>
          {locales.map((locale) => (
            <div key={locale} lang={locale}>
              <Failure locale={locale} error={error} retry={retry} />
            </div>
          ))}
        </FailureFrame>
      </body>
    </html>
  )
}
