import { beforeAll, expect, test } from 'vitest'
import { type Call, caller, machineToken } from '../support/api'
import { formWith, OldBrowser } from '../support/old-browser'
import type { Portal } from '../support/portal'
import { sharedPortal } from '../support/shared-portal'

/** What the forms of admins do without a script. */

let portal: Portal
let api: Call
let owner: OldBrowser

beforeAll(async () => {
  portal = await sharedPortal()
  api = caller(portal, await machineToken(portal))
  owner = new OldBrowser(portal.origin)
  await owner.signIn(await owner.open('/login'), portal.demo().admin)
})

test.each([
  ['/admin/groups/new', 'Night Crew 2', '/groups/night-crew-2'],
  ['/admin/roles/new?space=demo', 'Café Clerks', '/spaces/demo/roles/cafe-clerks'],
  ['/admin/roles/spaces/new', 'Second Shop', '/spaces/second-shop'],
])('%s: a key that was left empty is made of the name', async (page, name, path) => {
  const form = formWith(await owner.open(page), 'name="key"')
  await owner.submit(form, { name, key: '', type: 'user' })
  const { status, json } = await api('GET', path)
  expect([status, json.name]).toEqual([200, name])
  await api('DELETE', path, undefined, { 'if-match': '*' })
})

test('a name without letters that a key may have is refused at the key', async () => {
  const form = formWith(await owner.open('/admin/groups/new'), 'name="key"')
  const { html } = await owner.submit(form, { name: '夜班', key: '' })
  expect(html).toContain('id="key-error"')
})

test('the quick start adds the redirect URI that its sample needs, once', async () => {
  const made = { kind: 'web', name: 'Quick', redirectUris: ['https://quick.example/cb'] }
  const { json: app } = await api('POST', '/applications', made)
  const page = await owner.open(`/admin/applications/${app.id}/quick-start`)
  const form = formWith(page, 'name="uri"')
  const done = await owner.submit(form, {})
  expect(done.url).toContain('done=appSaved')
  expect(done.html).not.toContain('name="uri"')
  const { json: after } = await api('GET', `/applications/${app.id}`)
  expect(after.redirectUris).toHaveLength(2)
  // What the page showed is no longer so: nothing is added again.
  expect((await owner.submit(form, {})).url).toContain('done=refused')
  const { json: still } = await api('GET', `/applications/${app.id}`)
  expect(still.redirectUris).toEqual(after.redirectUris)
})

test('A6: it refuses what the settings refuse', async () => {
  const made = { kind: 'web', name: 'Quick', redirectUris: ['https://quick.example/cb'] }
  const { json: app } = await api('POST', '/applications', made)
  const form = formWith(await owner.open(`/admin/applications/${app.id}/quick-start`), 'name="uri"')
  const forged = {
    ...form,
    html: form.html.replace(/(name="uri" value=")[^"]*/, '$1javascript:alert(1)'),
  }
  expect((await owner.submit(forged, {})).url).toContain('done=refused')
  const { json: after } = await api('GET', `/applications/${app.id}`)
  expect(after.redirectUris).toEqual(made.redirectUris)
})
