'use client'

import { directionOf } from '@/lib/i18n/locales'
import { Failure } from './_ui/failure'
import { FailureFrame } from './_ui/failure-frame'
import { fontVariables } from './_ui/fonts'
import { useBrowserLocale } from './_ui/page-failure'
import './globals.css'

type Props = { error: unknown; retry: () => void }

/** The layout itself failed. */
export default function GlobalError({ error, retry }: Props) {
  const locale = useBrowserLocale()
  return (
    <html lang={locale} dir={directionOf(locale)} className={fontVariables}>
      <body>
        <title>Gatehouse</title>
        <FailureFrame>
          <Failure locale={locale} error={error} retry={retry} />
        </FailureFrame>
      </body>
    </html>
  )
}
