import { beforeAll, expect, test } from 'vitest'
import { loginOf, people } from '../support/access-requests'
import { decodeEntities, formWith, OldBrowser } from '../support/old-browser'
import type { Portal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'

/** The time zone of what pages show. */

let portal: Portal
let browser: OldBrowser

beforeAll(async () => {
  portal = await sharedPortal()
  await people(portal, ['times'])
  browser = new OldBrowser(portal.origin)
  await browser.signIn(await browser.open('/login'), loginOf('times'))
})

/** Behind the time of their sign-in. */
const zone = async () =>
  /, \d+:\d\d.[AP]M (UTC|GMT[+-]\d+)</.exec((await browser.open('/account/activity')).html)?.[1]
const says = (name: string) => browser.cookies.set('gatehouse.zone', name)
const prefers = (times: string) =>
  browser.open('/preferences', { method: 'POST', body: new URLSearchParams({ times }) })
const lives = async (zoneinfo: string) => {
  const profile = formWith(await browser.open('/account'), 'name="zoneinfo"')
  const saved = await browser.submit(profile, { name: 'Times', zoneinfo })
  expect(saved.url).toContain('done=profile')
}

test('is UTC until the browser has said its own, and UTC for those who choose it', async () => {
  expect(await zone()).toBe('UTC')
  says('Asia/Tokyo')
  expect(await zone()).toBe('GMT+9')
  await prefers('utc')
  expect(await zone()).toBe('UTC')
  await prefers('own')
  expect(await zone()).toBe('GMT+9')
})

test('is first of all the one in the profile', async () => {
  says('Asia/Tokyo')
  await lives('America/Lima')
  expect(await zone()).toBe('GMT-5')
  await lives('')
  expect(await zone()).toBe('GMT+9')
})

test('M33: a cookie or a choice that is no time zone is ignored', async () => {
  for (const name of ['Mars/Olympus', '<b>', '%00', 'x'.repeat(3_000), 'UTC%22%3E', '']) {
    says(name)
    expect(await zone()).toBe('UTC')
  }
  says('Asia/Tokyo')
  await prefers('never')
  expect(await zone()).toBe('GMT+9')
})

test('of a form is the one that it names, and its answer is in UTC', async () => {
  const owner = new OldBrowser(portal.origin)
  await owner.signIn(await owner.open('/login'), portal.demo().admin)
  const asked = async (name: string) =>
    decodeEntities((await owner.open(`/admin/audit?from=2026-01-01T09:00&zone=${name}`)).html)
  const found = await asked('Asia/Tokyo')
  expect(found).toContain('from=2026-01-01T00%3A00%3A00.000Z')
  // The field shows it in the zone of the reader, which is in the sample data.
  expect(found).toContain('name="zone" value="Europe/Zurich"')
  expect(found).toContain('value="2026-01-01T01:00"')
  expect(await asked('Mars/Olympus')).toContain('from=2026-01-01T09%3A00%3A00.000Z')
})
