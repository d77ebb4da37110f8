'use client'

import { fontVariables } from './_ui/fonts'
import { PageFailure } from './_ui/page-failure'
import './globals.css'

type Props = { error: unknown; retry: () => void }

/** The layout itself failed, so only the browser knows the languages of its reader. */
export default function GlobalError({ error, retry }: Props) {
  return (
    <html className={fontVariables}>
      <body>
        <title>Gatehouse</title>
        <PageFailure error={error} retry={retry} />
      </body>
    </html>
  )
}
