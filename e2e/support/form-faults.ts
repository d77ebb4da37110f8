import type { Locale } from '../../lib/i18n'
import type { OldBrowser, Page } from './old-browser'
import {
  errorsBeside,
  type FormField,
  formsIn,
  hasId,
  noticesOn,
  type PageForm,
  takesFocus,
  titleOf,
  toldOn,
} from './page-forms'
import { isThorough } from './thorough'

/** Sends every form of a page empty, with junk and with too much, and judges what is answered. */

// ---------------------------------------------------------------- what is sent

type Kind = 'empty' | 'junk' | 'too much'
type Way = Kind | 'junk and too much'

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
function typedIn({ type, value }: FormField, kind: Kind): string | null {
  if (type === 'file') return null
  if (type === 'checkbox') return kind === 'empty' ? null : value
  if (type === 'radio' || type === 'select') return value
  if (kind === 'empty') return ''
  return kind === 'junk' ? (JUNK[type] ?? '\u202e½ ~') : (TOO_MUCH[type] ?? 'x'.repeat(1_600))
}

/** Fields are checked one by one, so usually every other one has junk and the rest too much. */
function waysOf({ fields }: PageForm): Way[] {
  const isMixed = !isThorough && fields.length > 1
  return isMixed ? ['empty', 'junk and too much'] : ['empty', 'junk', 'too much']
}

function kindAt(at: number, way: Way): Kind {
  if (way !== 'junk and too much') return way
  return at % 2 === 0 ? 'junk' : 'too much'
}

async function sendForm(browser: OldBrowser, form: PageForm, way: Way): Promise<Page> {
  const body = form.multipart ? new FormData() : new URLSearchParams()
  for (const [name, value] of form.hidden) body.append(name, value)
  for (const [at, field] of form.fields.entries()) {
    const value = typedIn(field, kindAt(at, way))
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

export type SeenForm = {
  forms: Set<string>
  shapes: Set<string>
  pagesWithButtons: Set<string>
  buttons: Set<string>
  sent: number
  accepted: number
  sentences: Set<string>
}
export const seen: SeenForm = {
  forms: new Set(),
  shapes: new Set(),
  pagesWithButtons: new Set(),
  buttons: new Set(),
  sent: 0,
  accepted: 0,
  sentences: new Set(),
}

/** To wait is about no field. A sign-in that failed does not say which of the two was wrong (M1). */
function isOfNoField({ status, url }: Page): boolean {
  return status === 429 || new URL(url).pathname === '/login'
}

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
      if (field === null) return isOfNoField(page) ? [] : [`at no field: ${text}`]
      return hasId(page, field) ? [] : [`at #${field}, which is not there: ${text}`]
    }),
    ...(told.length > 0 && form.method === 'post' && !takesFocus(page) ? ['no focus'] : []),
  ]
}

/** What a page says is for this reader, and it says something. An error page says it by its title. */
export function faultsSaid(page: Page, locale: Locale): string[] {
  if (page.status >= 500) return [`is ${page.status}`]
  const notices = noticesOn(page)
  if (notices.length === 0) {
    const title = titleOf(page)
    const told = isOver(page) && title !== '' && HAN.test(title) === (locale !== 'en')
    return told ? [] : [`says nothing (${page.status}, ${title})`]
  }
  return notices.flatMap((text) => {
    const fault = foreign(text, locale)
    return fault === null ? [] : [`${fault}: ${text}`]
  })
}

/** The page itself is about what is not there. */
function isOver({ status, html }: Page): boolean {
  return status >= 400 || !/<main\b[\s\S]*<form\b[\s\S]*<\/main>/.test(html)
}

/** The forms that are only a button; those of every page (language, appearance, sign-out) are not. */
function buttonsOn(page: Page): PageForm[] {
  return formsIn(page).filter(({ action, method, fields }) => {
    const { pathname } = new URL(action)
    return method === 'post' && fields.length === 0 && !OF_EVERY_PAGE.includes(pathname)
  })
}

const OF_EVERY_PAGE = ['/preferences', '/logout']
/** Rows of a list have the same buttons. */
const MAX_BUTTONS = 3

/** Each button is pressed, and pressed again on the page as it was: what it was about may be gone. */
export async function faultsOfButtons(
  browser: OldBrowser,
  path: string,
  locale: Locale,
): Promise<string[]> {
  const faults: string[] = []
  const page = await browser.open(path)
  for (const [at, form] of buttonsOn(page).slice(0, MAX_BUTTONS).entries()) {
    seen.buttons.add(`${path} ${at}`)
    for (const time of ['first', 'second']) {
      const answer = await sendForm(browser, form, 'empty')
      const place = `${path}, button ${at}, ${time} time, ${locale}, to ${answer.url}`
      faults.push(...faultsSaid(answer, locale).map((fault) => `${place}: ${fault}`))
    }
  }
  return faults
}

/** The same for a form that stands on several pages: its action, and what it asks. */
function shapeOf({ method, action, hidden, fields }: PageForm): string {
  const [ofServer] = hidden.flatMap(([name, value]) => SERVER_ACTION.exec(name + value) ?? [])
  const asked = new Set(fields.map(({ name, type }) => `${type} ${name}`))
  return [method, ofServer ?? new URL(action).pathname, ...asked].join(' ')
}

/** How Next.js names the function that a form calls. */
const SERVER_ACTION = /[0-9a-f]{42}/

/** Usually a form that stands on several pages is sent from the first of them. */
function isDone(form: PageForm, locale: Locale): boolean {
  const shape = `${locale} ${shapeOf(form)}`
  const wasSent = seen.shapes.has(shape)
  seen.shapes.add(shape)
  return wasSent && !isThorough
}

/** All forms of a page that have something to fill in, in each way. */
export async function faultsOf(
  browser: OldBrowser,
  path: string,
  locale: Locale,
): Promise<string[]> {
  const faults: string[] = []
  let page = await browser.open(path)
  const address = page.url
  if (buttonsOn(page).length > 0) seen.pagesWithButtons.add(path)
  for (const [at, first] of formsIn(page).entries()) {
    // Whose script did not load, or was not allowed to.
    if (!first.action.startsWith('http')) faults.push(`${path}, form ${at}: needs a script`)
    if (first.fields.length === 0) continue
    seen.forms.add(`${path} ${at}`)
    if (isDone(first, locale)) continue
    for (const way of waysOf(first)) {
      const form = formsIn(page)[at]
      if (!form || form.fields.length === 0) continue
      seen.sent += 1
      const answer = await sendForm(browser, form, way)
      const told = toldOn(answer).length + errorsBeside(answer).length > 0
      if (!told) seen.accepted += 1
      const place = `${path}, form ${at} (${form.fields.map(({ name }) => name)}), ${way}, ${locale}`
      faults.push(...faultsOn(answer, form, locale).map((fault) => `${place}: ${fault}`))
      // What was accepted has changed the page, which often is the answer.
      if (told || form.method === 'get') continue
      page = answer.url === address ? answer : await browser.open(path)
    }
  }
  return faults
}
