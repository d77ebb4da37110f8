import { type NextRequest, NextResponse } from 'next/server'
import { isSameOriginPost } from '@/lib/base/same-origin'
import { LOCALE_COOKIE } from '@/lib/browser/reader-locale'
import { safeReturnTo } from '@/lib/browser/return-to'
import { isTheme, THEME_COOKIE } from '@/lib/browser/theme'
import { isTimes, TIMES_COOKIE } from '@/lib/browser/zone-cookies'
import { isLocale } from '@/lib/i18n'

const YEAR_SECONDS = 365 * 24 * 60 * 60
const MAX_BYTES = 16 * 1024

/** Remembers language, appearance and time zone, then goes back to the page that asked. */
export async function POST(request: NextRequest): Promise<Response> {
  const { headers } = request
  const from = { secFetchSite: headers.get('sec-fetch-site'), origin: headers.get('origin') }
  if (!isSameOriginPost(from, ownOrigin(request))) return new Response('Forbidden', { status: 403 })
  if (Number(headers.get('content-length')) > MAX_BYTES)
    return new Response('Content Too Large', { status: 413 })
  return remember(new URLSearchParams(await request.text()))
}

function remember(form: URLSearchParams): Response {
  const location = safeReturnTo(form.get('returnTo'))
  const response = new NextResponse(null, { status: 303, headers: { location } })
  const theme = form.get('theme')
  const locale = form.get('locale')
  if (isTheme(theme)) response.cookies.set(THEME_COOKIE, theme, cookieOptions())
  const times = form.get('times')
  if (isTimes(times)) response.cookies.set(TIMES_COOKIE, times, cookieOptions())
  if (isLocale(locale)) response.cookies.set(LOCALE_COOKIE, locale, cookieOptions())
  return response
}

function cookieOptions() {
  const secure = process.env.ISSUER?.startsWith('https:') ?? false
  return { path: '/', sameSite: 'lax', httpOnly: true, maxAge: YEAR_SECONDS, secure } as const
}

function ownOrigin(request: NextRequest): string {
  return process.env.ISSUER ? new URL(process.env.ISSUER).origin : request.nextUrl.origin
}
