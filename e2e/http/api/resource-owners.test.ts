import { beforeAll, describe, expect, test } from 'vitest'
import { ANY, loginOf, made, ok, people } from '../../support/access-requests'
import { caller, machineToken } from '../../support/api'
import { formWith, OldBrowser } from '../../support/old-browser'
import type { Portal } from '../../support/portal'
import { sharedPortal } from '../../support/shared-portal'

/** The owner of an API gives its items to an application that somebody else runs, by the pages. */

describe('owners of an API', () => {
  let portal: Portal
  /** The pages of the API. */
  let path: string
  let owner: OldBrowser
  let keeper: OldBrowser

  beforeAll(async () => {
    portal = await sharedPortal()
    const api = caller(portal, await machineToken(portal))
    const { 'api-keeper': person } = await people(portal, ['api-keeper'])
    ok(await api('PATCH', `/users/${person.id}`, { adminRole: 'app_manager' }, ANY))
    await made(api, '/applications', { kind: 'machine', name: 'Reports', id: 'owners-reports' })
    const space = 'owners'
    await made(api, '/spaces', { key: space, name: 'Owners' })
    const kept = { prefix: 'kept', name: 'Kept', audience: 'https://kept.example' }
    const { id } = await made(api, `/spaces/${space}/resources`, kept)
    for (const key of ['kept:read', 'kept:refund'])
      ok(await api('PUT', `/spaces/${space}/permissions/${key}`, { resource: 'kept' }))
    path = `/admin/apis/${id}`
    owner = await signedIn(portal.demo().admin)
    keeper = await signedIn(loginOf('api-keeper'))
  })

  async function signedIn(login: { email: string; password: string }) {
    const browser = new OldBrowser(portal.origin)
    await browser.signIn(await browser.open('/login'), login)
    return browser
  }

  const save = async (typed: Record<string, string>) => {
    const page = await owner.open(`${path}/settings`)
    return owner.submit(formWith(page, 'name="introspectors"'), typed)
  }

  test('an app manager who owns no API sees nothing of who holds its items', async () => {
    expect((await keeper.open(`${path}/applications`)).status).toBe(404)
    expect((await keeper.open(path)).html).not.toContain(`${path}/applications`)
  })

  test('are named by address; a name that nobody has is said at its field', async () => {
    const wrong = await save({ owners: 'nobody@gatehouse.example', introspectors: '' })
    expect([wrong.status, wrong.html]).toEqual([
      400,
      expect.stringContaining('“nobody@gatehouse.example” was not found'),
    ])
    const saved = await save({
      owners: 'api-keeper@requests.example',
      introspectors: 'owners-reports',
    })
    expect(saved.html).toContain('The API was saved.')
    expect(saved.html).toContain('api-keeper@requests.example')
  })

  test('give items to an application by its client ID, and take them away', async () => {
    const list = await keeper.open(`${path}/applications`)
    const unknown = await keeper.submit(formWith(list, 'name="client"'), { client: 'nothing' })
    expect(unknown.status).toBe(400)
    const chosen = await keeper.submit(formWith(list, 'name="client"'), {
      client: 'owners-reports',
    })
    expect(chosen.url).toBe(`${portal.origin}${path}/applications/owners-reports`)
    const given = await keeper.submit(chosen, { pattern: ['kept:read', 'kept:refund'] })
    expect(given.url).toContain('done=grantsSaved')
    expect(given.html).toMatch(/Reports[\s\S]*kept:read[\s\S]*kept:refund/)
    const again = await keeper.open(`${path}/applications/owners-reports`)
    const taken = await keeper.submit(again, {})
    expect(given.html).toContain(`href="${path}/applications/owners-reports"`)
    expect(taken.html).not.toContain(`href="${path}/applications/owners-reports"`)
  })
})
