'use client'

import { useEffect, useRef } from 'react'
import { buttonClass } from '@/app/_ui/button'
import { inputClass } from '@/app/_ui/field'
import { Heading } from '@/app/_ui/heading'
import { Wordmark } from '@/app/_ui/wordmark'
import { AppMark } from '@/app/(signin)/consent/app-mark'
import { AppWords } from '@/app/(signin)/consent/app-words'
import type { Theme } from '@/lib/base/contrast'

export type SignInWords = Record<
  'title' | 'intro' | 'from' | 'identifier' | 'next' | 'passkey' | 'others',
  string
>

type Props = {
  theme: Theme
  accent: string
  portal: string
  app: { name: string; logoUri: string | null; logo: string | null }
  locale: string
  words: SignInWords
  text: string | undefined
}

/** The sign-in page as a phone shows it, in one theme. It is only looked at. */
export function SignInPreview({ theme, accent, portal, app, locale, words, text }: Props) {
  const page = useRef<HTMLDivElement>(null)
  useEffect(() => {
    page.current?.style.setProperty('--color-accent', accent)
    page.current?.style.setProperty('--color-accent-strong', accent)
  }, [accent])
  return (
    <div
      ref={page}
      inert
      lang={locale}
      data-preview={theme}
      className={`grid max-w-[26rem] content-start gap-8 rounded-panel border border-line bg-paper p-6 text-ink own-theme ${theme === 'dark' ? 'scheme-dark' : 'scheme-light'}`}
    >
      <Wordmark label={portal} name={portal} />
      <div className="grid gap-7">
        {(app.logo ?? app.logoUri) !== null && (
          <div>
            <AppMark {...app} logos={{ light: app.logo, dark: null }} />
          </div>
        )}
        <Heading title={words.title} text={words.intro} within />
        <AppWords from={words.from} text={text} />
        <div className="grid gap-1.5">
          <span className="font-semibold">{words.identifier}</span>
          <span className={inputClass} />
        </div>
        <span className={`${buttonClass('main')} w-full`}>{words.next}</span>
        <span className={`${buttonClass('quiet')} w-full`}>{words.passkey}</span>
        <span className="text-accent underline underline-offset-4">{words.others}</span>
      </div>
    </div>
  )
}
