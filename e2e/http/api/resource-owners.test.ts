import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { caller, machineToken } from '../../support/api'
import { demoDatabase } from '../../support/databases'
import { formWith, OldBrowser } from '../../support/old-browser'
import { type Portal, startPortal } from '../../support/portal'

/** The owner of an API gives its items to an application that somebody else runs, by the pages. */

const API = '/admin/apis/api_demo_orders'
const BOB = 'usr_demo_bob'

describe('owners of an API', () => {
  let portal: Portal
  let owner: OldBrowser
  let bob: OldBrowser

  beforeAll(async () => {
    const DATABASE_URL = await demoDatabase.sqlite()
    portal = await startPortal({ args: ['--demo'], env: { DATABASE_URL } })
    const api = caller(portal, await machineToken(portal))
    await api('PATCH', `/users/${BOB}`, { adminRole: 'app_manager' }, { 'if-match': '*' })
    await api('POST', '/applications', { kind: 'machine', name: 'Reports', id: 'reports' })
    owner = await signedIn(portal.demo().admin)
    bob = await signedIn(portal.demo().users[1])
  })
  afterAll(() => portal.stop())

  async function signedIn(login: { email: string; password: string } | undefined) {
    const browser = new OldBrowser(portal.origin)
    if (login) await browser.signIn(await browser.open('/login'), login)
    return browser
  }

  const save = async (typed: Record<string, string>) => {
    const page = await owner.open(`${API}/settings`)
    return owner.submit(formWith(page, 'name="introspectors"'), typed)
  }

  test('an app manager who owns no API sees nothing of who holds its items', async () => {
    expect((await bob.open(`${API}/applications`)).status).toBe(404)
    expect((await bob.open(API)).html).not.toContain(`${API}/applications`)
  })

  test('are named by address; a name that nobody has is said at its field', async () => {
    const wrong = await save({ owners: 'nobody@gatehouse.example', introspectors: '' })
    expect([wrong.status, wrong.html]).toEqual([
      400,
      expect.stringContaining('“nobody@gatehouse.example” was not found'),
    ])
    const saved = await save({ owners: 'bob@gatehouse.example', introspectors: 'reports' })
    expect(saved.html).toContain('The API was saved.')
    expect(saved.html).toContain('bob@gatehouse.example')
  })

  test('give items to an application by its client ID, and take them away', async () => {
    const list = await bob.open(`${API}/applications`)
    const unknown = await bob.submit(formWith(list, 'name="client"'), { client: 'nothing' })
    expect(unknown.status).toBe(400)
    const chosen = await bob.submit(formWith(list, 'name="client"'), { client: 'reports' })
    expect(chosen.url).toBe(`${portal.origin}${API}/applications/reports`)
    const given = await bob.submit(chosen, { pattern: ['orders:read', 'orders:refund'] })
    expect(given.url).toContain('done=grantsSaved')
    expect(given.html).toMatch(/Reports[\s\S]*orders:read[\s\S]*orders:refund/)
    const again = await bob.open(`${API}/applications/reports`)
    const taken = await bob.submit(again, {})
    expect(given.html).toContain(`href="${API}/applications/reports"`)
    expect(taken.html).not.toContain(`href="${API}/applications/reports"`)
  })
})
