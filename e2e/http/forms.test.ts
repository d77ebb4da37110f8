import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN_PAGES } from '../../lib/admin/pages'
import { type Locale, locales } from '../../lib/i18n'
import { OldBrowser, type Page } from '../support/old-browser'
import {
  errorsBeside,
  type FormField,
  formsIn,
  hasId,
  type PageForm,
  takesFocus,
  toldOn,
} from '../support/page-forms'
import { type Portal, startPortal } from '../support/portal'
import { thingsIn } from '../support/things'

/**
 * Every form of every page is sent empty, with junk and with too much, in each language. What is
 * wrong must be said at its field, in the language of the reader, and never in words of a library.
 */

let portal: Portal
let named: Record<string, string> = {}
const readers = new Map<Locale, OldBrowser>()

beforeAll(async () => {
  portal = await startPortal({ args: ['--demo'] })
  named = await thingsIn(portal)
  for (const locale of locales) readers.set(locale, await reader(locale))
})
afterAll(() => portal.stop())

async function reader(locale: Locale): Promise<OldBrowser> {
  const browser = new OldBrowser(portal.origin)
  const { email, password } = portal.demo().admin
  await browser.signIn(await browser.open('/login'), { email, password })
  browser.cookies.set('gatehouse.locale', locale)
  return browser
}

// ---------------------------------------------------------------- what is sent

type Way = 'empty' | 'junk' | 'too much'
const WAYS: readonly Way[] = ['empty', 'junk', 'too much']

const JUNK: Readonly<Record<string, string>> = {
  number: 'x1',
  email: 'a@@b',
  url: 'htp:/x y',
  'datetime-local': 'soon',
  color: 'green',
  textarea: '\u202e½ {[',
}
const TOO_MUCH: Readonly<Record<string, string>> = {
  number: '99999999999',
  'datetime-local': '99999-01-01T00:00',
  textarea: `${'y'.repeat(1_600)}\n`.repeat(4),
}

/** Boxes are ticked all or none; a choice among options stays as it is. */
function typedIn({ type, value }: FormField, way: Way): string | null {
  if (type === 'file') return null
  if (type === 'checkbox') return way === 'empty' ? null : value
  if (type === 'radio' || type === 'select') return value
  if (way === 'empty') return ''
  return way === 'junk' ? (JUNK[type] ?? '\u202e½ ~') : (TOO_MUCH[type] ?? 'x'.repeat(1_600))
}

async function sendForm(browser: OldBrowser, form: PageForm, way: Way): Promise<Page> {
  const body = form.method === 'get' ? new URLSearchParams() : new FormData()
  for (const [name, value] of form.hidden) body.append(name, value)
  for (const field of form.fields) {
    const value = typedIn(field, way)
    // A URL has less room than a body.
    const most = form.method === 'get' ? 700 : field.longest
    if (value !== null) body.append(field.name, value.slice(0, Math.min(most, field.longest)))
  }
  if (form.method === 'post') return browser.open(form.action, { method: 'POST', body })
  const url = new URL(form.action)
  return browser.open(`${url.pathname}?${body as URLSearchParams}`)
}

// ---------------------------------------------------------------- what must not be said

const LIBRARY =
  /invalid (input|option|string|iso|url|email)|expected \w+|received|too (small|big):|unrecognized|must match|\bNaN\b|undefined|\[object|mistake:|unexpected (token|character)|overload|\bzod\b|prisma/i
const ENGLISH = /[A-Za-z’]+(?: [A-Za-z’]+){2,}/
const HAN = /\p{Script=Han}/u

/** Why a sentence is not one for this reader; null if it is. */
function foreign(text: string, locale: Locale): string | null {
  if (LIBRARY.test(text)) return 'words of a library'
  if (/\{\w+\}/.test(text)) return 'a placeholder'
  if (locale !== 'en') return HAN.test(text) && !ENGLISH.test(text) ? null : 'not Chinese'
  if (HAN.test(text)) return 'not English'
  return /^[^a-z][\s\S]*[.?]$/.test(text) ? null : 'no sentence'
}

type Seen = { forms: Set<string>; sent: number; accepted: number; sentences: Set<string> }
const seen: Seen = { forms: new Set(), sent: 0, accepted: 0, sentences: new Set() }

function faultsOn(page: Page, form: PageForm, locale: Locale): string[] {
  const told = toldOn(page)
  const beside = errorsBeside(page)
  if (told.length + beside.length === 0) return page.status < 400 ? [] : [`is ${page.status}`]
  const texts = [...told.map(({ text }) => text), ...beside.map(({ text }) => text)]
  for (const text of texts) seen.sentences.add(`${locale} ${text}`)
  return [
    ...texts.flatMap((text) => {
      const fault = foreign(text, locale)
      return fault === null ? [] : [`${fault}: ${text}`]
    }),
    ...told.flatMap(({ text, field }) => {
      if (field === null) return [`at no field: ${text}`]
      return hasId(page, field) ? [] : [`at #${field}, which is not there: ${text}`]
    }),
    ...(told.length > 0 && form.method === 'post' && !takesFocus(page) ? ['no focus'] : []),
  ]
}

/** All forms of a page that have something to fill in, in each way. */
async function faultsOf(browser: OldBrowser, path: string, locale: Locale): Promise<string[]> {
  const faults: string[] = []
  let page = await browser.open(path)
  const count = formsIn(page).length
  for (let at = 0; at < count; at += 1) {
    for (const way of WAYS) {
      const form = formsIn(page)[at]
      if (!form || form.fields.length === 0) continue
      seen.forms.add(`${path} ${at}`)
      seen.sent += 1
      const answer = await sendForm(browser, form, way)
      const told = toldOn(answer).length + errorsBeside(answer).length > 0
      if (!told) seen.accepted += 1
      const place = `${path}, form ${at} (${form.fields.map(({ name }) => name)}), ${way}, ${locale}`
      faults.push(...faultsOn(answer, form, locale).map((fault) => `${place}: ${fault}`))
      // What was accepted has changed the page.
      if (!told && form.method === 'post') page = await browser.open(path)
    }
  }
  return faults
}

const QUERIES: Readonly<Record<string, string>> = {
  '/admin/reports/clean-up': '?client=app_demo_machine',
  '/admin/users/bulk': '?do=group&user=usr_demo_alice',
}

function adminPaths(): string[] {
  return Object.keys(ADMIN_PAGES).map((path) => {
    const filled = path.replaceAll(/\[(\w+)\]/g, (_whole, name: string) => {
      const value = named[name]
      if (value === undefined) throw new Error(`say what [${name}] is`)
      return encodeURIComponent(value)
    })
    return `${filled}${QUERIES[path] ?? ''}`
  })
}

test.each(locales)('admin pages say what is wrong at its field, in %s', async (locale) => {
  const browser = readers.get(locale) ?? new OldBrowser(portal.origin)
  const faults: string[] = []
  for (const path of adminPaths()) faults.push(...(await faultsOf(browser, path, locale)))
  expect(faults).toEqual([])
})

test('all forms were found', () => {
  const { forms, sent, accepted, sentences } = seen
  process.stdout.write(
    `forms: ${forms.size} forms, sent ${sent} times, ${accepted} accepted, ${sentences.size} sentences\n`,
  )
  expect(forms.size).toBeGreaterThan(60)
})
