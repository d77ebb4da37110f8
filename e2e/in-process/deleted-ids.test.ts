import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../lib/base/time'
import { workOnce } from '../../lib/operations/scheduled/work'
import { type ApiAnswer, callApi, machineToken } from '../support/api'
import { ask } from '../support/ask'
import { KINDS } from '../support/databases'
import { type DocumentHost, startDocumentHost } from '../support/document-host'
import { authorizeUrl, pkcePair } from '../support/flow'
import { type OpenPortal, openPortal } from '../support/in-process'

/** docs/attacks.md, N26 and R16, when the audit log has forgotten what was deleted. */

const ANY = { 'if-match': '*' }

describe.each(KINDS)('what was deleted, once the audit log has forgotten it, on %s', (kind) => {
  let portal: OpenPortal
  let site: DocumentHost
  let token: string

  beforeAll(async () => {
    site = await startDocumentHost()
    const env = { REGISTRATION_OUTBOUND_HOSTS: site.host, AUDIT_RETENTION_DAYS: '30' }
    portal = await openPortal({ kind, env })
    token = await machineToken(portal)
    const documents = { clientRegistration: { documents: true } }
    expect((await call('PATCH', '/settings', documents, ANY)).status).toBe(200)
  })

  afterAll(async () => {
    await portal.stop()
    site.close()
  })

  const call = (method: string, path: string, body?: unknown, headers = {}): Promise<ApiAnswer> =>
    callApi(portal, token, method, path, body, headers)

  async function createdAndDeleted(path: string, body: object, at: string) {
    const made = await call('POST', path, body)
    expect([made.status, made.raw]).toEqual([201, expect.any(String)])
    expect((await call('DELETE', at, undefined, ANY)).status).toBe(204)
  }

  async function authorize(client_id: string): Promise<number> {
    const fields = { client_id, redirect_uri: `${site.origin}/cb`, response_type: 'code' }
    const pkce = { code_challenge: pkcePair().challenge, code_challenge_method: 'S256' }
    const path = authorizeUrl({ ...fields, ...pkce, scope: 'openid' })
    return (await ask(portal.origin, { path })).status
  }

  const refused = async (path: string, body: object) => {
    const { status, json } = await call('POST', path, body)
    return [status, json.errors?.[0].code]
  }

  test('N26, R16: stays deleted: users, applications, access keys and metadata documents', async () => {
    const user = { id: 'usr_gone', username: 'gone' }
    const application = { id: 'gone.app', kind: 'machine', name: 'Gone' }
    const key = { name: 'Gone', accessKey: 'ak_gone' }
    const keys = '/applications/app_demo_machine/keys'
    const document = site.document('/gone')
    await createdAndDeleted('/users', user, '/users/usr_gone')
    await createdAndDeleted('/applications', application, '/applications/gone.app')
    await createdAndDeleted(keys, key, `${keys}/ak_gone`)
    expect(await authorize(document)).toBe(303)
    const its = `/applications/${encodeURIComponent(document)}`
    expect((await call('DELETE', its, undefined, ANY)).status).toBe(204)
    await portal.op.settled()

    portal.moveClock(100 * DAY_MS)
    token = await machineToken(portal)
    await portal.op.settled()
    await workOnce(portal.op, () => true)
    const log = await call('GET', '/audit-events?event=application.deleted')
    expect(log.json.data).toEqual([])
    expect(await refused('/users', user)).toEqual([400, 'id_reused'])
    const row = { csv: 'id,username\nusr_gone,gone\n' }
    expect((await call('POST', '/users:import', row)).raw).toContain('id_reused')
    expect(await refused('/applications', application)).toEqual([400, 'id_reused'])
    expect(await refused(keys, key)).toEqual([400, 'id_reused'])
    expect(await authorize(document)).toBe(400)
    expect(site.asked('/gone')).toBe(1)
  })
})
