import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { lookedFor } from '@/lib/admin/looked-for'
import { currentLocale, currentMessages, currentPath, currentSettings } from '@/lib/browser/locale'
import { currentPreview } from '@/lib/browser/preview'
import { impersonationHere } from '@/lib/browser/session'
import { isTheme, THEME_COOKIE, type Theme } from '@/lib/browser/theme'
import { directionOf } from '@/lib/i18n'
import { sentenceOf } from '@/lib/i18n/error-message'
import { fontVariables } from './_ui/fonts'
import { ImpersonationBanner } from './_ui/impersonation-banner'
import { type DeadEnds, LocaleProvider } from './_ui/locale'
import './globals.css'

const PAPER = { light: '#f5f6f3', dark: '#111513' }

export async function generateMetadata(): Promise<Metadata> {
  const { portal } = await currentMessages()
  const { name } = (await currentSettings()).branding
  return {
    title: { default: name, template: `%s · ${name}` },
    description: portal.description,
    applicationName: name,
    robots: { index: false, follow: false },
    icons: {
      icon: [
        { url: '/favicon.ico', sizes: '32x32' },
        { url: '/favicon.svg', type: 'image/svg+xml' },
      ],
    },
    // Numbers on these pages are ids and codes, never something to call.
    formatDetection: { telephone: false, email: false, address: false },
  }
}

export async function generateViewport(): Promise<Viewport> {
  const theme = await chosenTheme()
  if (theme !== 'system') return { themeColor: PAPER[theme], colorScheme: theme }
  return {
    colorScheme: 'light dark',
    themeColor: [
      { media: '(prefers-color-scheme: light)', color: PAPER.light },
      { media: '(prefers-color-scheme: dark)', color: PAPER.dark },
    ],
  }
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const { branding, version } = await currentSettings()
  const locale = await currentLocale()
  return (
    <html
      lang={locale}
      dir={directionOf(locale)}
      data-theme={await chosenTheme()}
      className={fontVariables}
    >
      {branding.accent && (
        <head>
          <link rel="stylesheet" href={`/branding.css?v=${version}`} />
        </head>
      )}
      <body>
        <LocaleProvider locale={locale} deadEnds={await deadEnds()}>
          <ImpersonationBanner />
          {children}
        </LocaleProvider>
      </body>
    </html>
  )
}

async function deadEnds(): Promise<DeadEnds> {
  const { notFound, forbidden, impersonation, common, problems } = await currentMessages()
  const { branding } = await currentSettings()
  const wanted = lookedFor(await currentPath())
  const text = wanted ? sentenceOf(wanted, problems.errorMessages) : notFound.body
  return {
    name: branding.name,
    back: common.backToFront,
    notFound: { title: notFound.title, text },
    forbidden: (await impersonationHere()) ? impersonation.refused : forbidden,
  }
}

async function chosenTheme(): Promise<Theme> {
  const preview = await currentPreview()
  if (preview) return preview.theme
  const stored = (await cookies()).get(THEME_COOKIE)?.value
  return isTheme(stored) ? stored : 'system'
}
