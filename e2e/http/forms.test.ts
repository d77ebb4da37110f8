import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PAGES } from '../../lib/admin/pages'
import type { Locale } from '../../lib/i18n'
// Where a text is not translated is seen by its script, and every page has words in these.
import { adminLocales as locales } from '../../lib/i18n/compiled/load'
import { addApp } from '../support/add-app'
import { callApi, sessionOf } from '../support/api'
import { askDevice, enterCode } from '../support/device'
import { authorizeUrl, exchange, received, webRequest } from '../support/flow'
import { faultsOf, faultsOfButtons, faultsSaid, seen } from '../support/form-faults'
import { OldBrowser } from '../support/old-browser'
import { filledPath } from '../support/page-tree'
import { type Portal, startPortal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'
import { linkIn, type MailServer, startMailServer } from '../support/smtp'
import { thingsIn } from '../support/things'
import { isThorough } from '../support/thorough'

/**
 * Every form of every page is sent empty, with junk and with too much: usually one that stands on
 * several pages once, with THOROUGH=1 on each of them in both languages. What is wrong must be said
 * at its field, in the language of the reader, and never in words of a library.
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

const QUERIES: Readonly<Record<string, string>> = {
  '/admin/reports/clean-up': '?client=app_demo_machine',
  '/admin/users/bulk': '?do=group&user=usr_demo_alice',
}

/** Usually each page is read in one of the languages: what it says comes from few places. */
function languageOf(at: number): Locale {
  return locales[at % locales.length] ?? 'en'
}

function readIn(locale: Locale, paths: readonly string[]): string[] {
  return paths.filter((_path, at) => isThorough || languageOf(at) === locale)
}

/** Every admin page, about things that exist. */
function adminPaths(named: Readonly<Record<string, string>>): string[] {
  return Object.keys(ADMIN_PAGES).map((path) => filledPath(path, named) + (QUERIES[path] ?? ''))
}

describe('admin pages', () => {
  // Of its own: much of it is changed, revoked, disabled and deleted.
  let portal: Portal
  let paths: string[] = []

  beforeAll(async () => {
    portal = await startPortal({ args: ['--demo'] })
    paths = adminPaths(await thingsIn(portal))
  })
  afterAll(() => portal.stop())

  test.each(locales)('say what is wrong at its field, in %s', async (locale) => {
    const browser = await reader(portal, locale, portal.demo().admin)
    expect(await faultsAt(browser, readIn(locale, paths), locale)).toEqual([])
  })

  test('forms that are only a button say what they did, and what is gone when they are pressed again', async () => {
    const browser = await reader(portal, 'en', portal.demo().admin)
    const { pagesWithButtons } = seen
    const faults: string[] = []
    for (const [at, path] of paths.entries()) {
      // This test alone, with -t, has to look for them itself.
      if (pagesWithButtons.size > 0 && !pagesWithButtons.has(path)) continue
      const locale = languageOf(at)
      browser.cookies.set('gatehouse.locale', locale)
      faults.push(...(await faultsOfButtons(browser, path, locale)))
    }
    expect(faults).toEqual([])
  })
})

describe('the consent form', () => {
  const SCOPE = 'openid orders:read orders:write'
  let portal: Portal

  beforeAll(async () => {
    portal = await sharedPortal()
  })

  test.each(locales)(
    'takes nothing but what it asked, and says when it is over, in %s',
    async (locale) => {
      const demo = portal.demo()
      const browser = await reader(portal, locale, demo.users[0])
      const asked = () =>
        browser.open(authorizeUrl(webRequest(demo, { scope: SCOPE, prompt: 'consent' })))
      for (const [ticked, granted] of [
        [[], 'openid'],
        [['', '\u202e½ ~', 'orders:refund', 'portal:users:write'], 'openid'],
        [['x'.repeat(1_600), ...Array(200).fill('orders:read')], 'openid orders:read'],
      ] as const) {
        const question = await asked()
        expect(new URL(question.url).pathname).toBe('/consent')
        const { code = '' } = received(await browser.submit(question, { scope: [...ticked] }))
        const token = JSON.parse((await exchange(portal, code)).body)
        expect([ticked.length, token.scope]).toEqual([ticked.length, granted])
        // The same question once more, as from a page that was left open: it has been answered.
        const again = await browser.submit(question, { scope: ['orders:write'] })
        expect([faultsSaid(again, locale), new URL(again.url).origin]).toEqual([[], portal.origin])
      }
      const lost = await asked()
      const nowhere = { ...lost, html: lost.html.replaceAll(/int_[\w-]+/g, '\u202e½ ~') }
      expect(faultsSaid(await browser.submit(nowhere, {}), locale)).toEqual([])
    },
  )
})

describe('the question about a device', () => {
  let portal: Portal

  beforeAll(async () => {
    portal = await sharedPortal()
  })

  test.each(locales)('says when it is over or another’s, in %s', async (locale) => {
    const admin = await sessionOf(portal, portal.demo().admin)
    const made = await callApi(portal, admin, 'POST', '/applications', {
      kind: 'device',
      name: 'TV',
    })
    const asked = await askDevice(portal.origin, { client_id: made.json.id, scope: 'openid' })
    const browser = await reader(portal, locale)
    const question = await enterCode(browser, JSON.parse(asked.body).user_code)
    expect(new URL(question.url).pathname).toBe('/device/confirm')
    for (const [hidden, junk] of [
      [/int_[\w-]+/g, '\u202e½ ~'],
      [/(?<=name="user_code" value=")[^"]+/g, 'BCDF-GHJK'],
      [/(?<=name="user_code" value=")[^"]+/g, 'x'.repeat(1_600)],
    ] as const) {
      const changed = { ...question, html: question.html.replaceAll(hidden, junk) }
      const page = await browser.submit(changed, {})
      expect([faultsSaid(page, locale), new URL(page.url).origin]).toEqual([[], portal.origin])
    }
    const login = await browser.submit(question, {})
    expect(new URL(login.url).pathname).toBe('/login')
  })
})

describe('pages of people', () => {
  const OWNER = { email: 'owner@example.org', password: 'seven quiet herons by the weir' }
  let portal: Portal
  let mail: MailServer
  const SET_UP = /http:\/\/localhost:\d+(\/setup\?token=ghlk_[\w-]{43})/
  let setUpLink = ''

  beforeAll(async () => {
    mail = await startMailServer()
    const letters = { SMTP_URL: mail.url, MAIL_FROM: 'id@example.com' }
    portal = await startPortal({ env: { REGISTRATION: 'open', ...letters } })
    setUpLink = SET_UP.exec(portal.output())?.[1] ?? ''
  })
  afterAll(async () => {
    await portal.stop()
    await mail.close()
  })

  test('an empty database prints a set-up link', () => {
    expect(portal.output()).toMatch(SET_UP)
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
    expect(await faultsAt(browser, readIn(locale, all), locale)).toEqual([])
  })

  test.each(locales)('the second factor says what is wrong at its field, in %s', async (locale) => {
    const login = await member()
    const first = await reader(portal, 'en', login)
    await addApp(first, login.password)
    // The password alone: what comes next is the second factor.
    const browser = await reader(portal, locale, login)
    expect(await faultsAt(browser, ['/second-factor'], locale)).toEqual([])
    expect([...seen.forms]).toContain('/second-factor 0')
  })

  test.each(locales)('account pages say what is wrong at its field, in %s', async (locale) => {
    const login = await member()
    const browser = await reader(portal, locale, login)
    const question = await browser.open('/account/confirm?returnTo=/account')
    if (question.url.includes('/confirm')) await browser.submit(question, login)
    expect(await faultsAt(browser, readIn(locale, pathsIn('account')), locale)).toEqual([])
  })
})

test('all forms were found', () => {
  const { forms, shapes, buttons, sent, accepted, sentences } = seen
  process.stdout.write(
    `forms: ${forms.size} forms of ${shapes.size} shapes, ${buttons.size} buttons, sent ${sent} times, ${accepted} accepted, ${sentences.size} sentences\n`,
  )
  expect(forms.size).toBeGreaterThan(90)
  expect(buttons.size).toBeGreaterThan(5)
})
