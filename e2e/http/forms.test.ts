import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PAGES } from '../../lib/admin/pages'
import { type Locale, locales } from '../../lib/i18n'
import { callApi, sessionOf } from '../support/api'
import { faultsOf, seen } from '../support/form-faults'
import { OldBrowser } from '../support/old-browser'
import { type Portal, startPortal } from '../support/portal'
import { linkIn, type MailServer, startMailServer } from '../support/smtp'
import { thingsIn } from '../support/things'

/**
 * Every form of every page is sent empty, with junk and with too much, in each language. What is
 * wrong must be said at its field, in the language of the reader, and never in words of a library.
 */

type Login = { email: string; password: string }

async function reader(portal: Portal, locale: Locale, login?: Login): Promise<OldBrowser> {
  const browser = new OldBrowser(portal.origin)
  if (login) await browser.signIn(await browser.open('/login'), login)
  browser.cookies.set('gatehouse.locale', locale)
  return browser
}

async function faultsAt(browser: OldBrowser, paths: readonly string[], locale: Locale) {
  const faults: string[] = []
  for (const path of paths) faults.push(...(await faultsOf(browser, path, locale)))
  return faults
}

describe('admin pages', () => {
  let portal: Portal
  let named: Record<string, string> = {}

  beforeAll(async () => {
    portal = await startPortal({ args: ['--demo'] })
    named = await thingsIn(portal)
  })
  afterAll(() => portal.stop())

  const QUERIES: Readonly<Record<string, string>> = {
    '/admin/reports/clean-up': '?client=app_demo_machine',
    '/admin/users/bulk': '?do=group&user=usr_demo_alice',
  }

  function paths(): string[] {
    return Object.keys(ADMIN_PAGES).map((path) => {
      const filled = path.replaceAll(/\[(\w+)\]/g, (_whole, name: string) => {
        const value = named[name]
        if (value === undefined) throw new Error(`say what [${name}] is`)
        return encodeURIComponent(value)
      })
      return `${filled}${QUERIES[path] ?? ''}`
    })
  }

  test.each(locales)(
    'say what is wrong at its field, in %s',
    async (locale) => {
      const browser = await reader(portal, locale, portal.demo().admin)
      expect(await faultsAt(browser, paths(), locale)).toEqual([])
    },
    180_000,
  )
})

describe('pages of people', () => {
  const OWNER = { email: 'owner@example.org', password: 'seven quiet herons by the weir' }
  let portal: Portal
  let mail: MailServer
  let setUpLink = ''

  beforeAll(async () => {
    mail = await startMailServer()
    const letters = { SMTP_URL: mail.url, MAIL_FROM: 'id@example.com' }
    portal = await startPortal({ env: { REGISTRATION: 'open', ...letters } })
    setUpLink = /\/setup\?token=[\w-]+/.exec(portal.output())?.[0] ?? ''
  })
  afterAll(async () => {
    await portal.stop()
    await mail.close()
  })

  test.each(locales)('the set-up page says what is wrong at its field, in %s', async (locale) => {
    const browser = await reader(portal, locale)
    expect(await faultsAt(browser, [setUpLink], locale)).toEqual([])
  })

  test('and then lets the first admin in', async () => {
    const browser = await reader(portal, 'en')
    const page = await browser.open(setUpLink)
    await browser.submit(page, { name: 'Owner', ...OWNER })
    expect((await browser.open('/account')).html).toContain(OWNER.email)
  })

  async function invited(): Promise<{ email: string; link: string }> {
    const admin = await sessionOf(portal, OWNER)
    const email = `${crypto.randomUUID()}@example.org`
    const { json } = await callApi(portal, admin, 'POST', '/users', { name: 'Ivo', email })
    await callApi(portal, admin, 'POST', `/users/${json.id}/invitation`, {})
    return { email, link: linkIn(await mail.lastTo(email)) }
  }

  /** Somebody of their own, because wrong passwords are counted for each account. */
  async function member(): Promise<Login> {
    const { email, link } = await invited()
    const { password } = OWNER
    const browser = new OldBrowser(portal.origin)
    await browser.submit(await browser.open(link), { password })
    return { email, password }
  }

  /** Of pages that only a link opens. */
  async function linked(): Promise<Record<string, string>> {
    const { link: invite } = await invited()
    const before = mail.received.length
    const browser = new OldBrowser(portal.origin)
    await browser.submit(await browser.open('/forgot'), { identifier: OWNER.email })
    const reset = linkIn(await mail.lastTo(OWNER.email, before))
    const pathOf = (link: string) => new URL(link).pathname + new URL(link).search
    return { '/invite': pathOf(invite), '/reset': pathOf(reset) }
  }

  function pathsIn(folder: string): string[] {
    const root = fileURLToPath(new URL(`../../app/${folder}`, import.meta.url))
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => /(^|\/)page\.tsx$/.test(file))
      .map((file) => `/${folder}/${file}`.replace(/\/page\.tsx$/, '').replace('/(signin)', ''))
  }

  test.each(locales)('sign-in pages say what is wrong at its field, in %s', async (locale) => {
    const browser = await reader(portal, locale)
    const links = await linked()
    const paths = pathsIn('(signin)').map((path) => links[path] ?? path)
    const all = [...paths, `/login?identifier=${crypto.randomUUID()}`]
    expect(await faultsAt(browser, all, locale)).toEqual([])
  })

  test.each(locales)('account pages say what is wrong at its field, in %s', async (locale) => {
    const login = await member()
    const browser = await reader(portal, locale, login)
    const question = await browser.open('/account/confirm?returnTo=/account')
    if (question.url.includes('/confirm')) await browser.submit(question, login)
    expect(await faultsAt(browser, pathsIn('account'), locale)).toEqual([])
  })
})

test('all forms were found', () => {
  const { forms, sent, accepted, sentences } = seen
  process.stdout.write(
    `forms: ${forms.size} forms, sent ${sent} times, ${accepted} accepted, ${sentences.size} sentences\n`,
  )
  expect(forms.size).toBeGreaterThan(90)
})
