import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, machineToken } from '../../../e2e/support/api'
import { ask } from '../../../e2e/support/ask'
import { type OpenPortal, openPortal } from '../../../e2e/support/in-process'
import { incoming, refusalIn } from '../../../e2e/support/protocol'
import { requireAddress } from './document'
import { full } from './expire'
import { replaceRegistration } from './manage'
import { metadataIn, readMetadata } from './read'
import { withStatement } from './software-statement'

/** RFC 7591 §3.2.2, RFC 7592 §2: each cause of a refusal has its reason. */

const CALLBACK = 'https://rp.example/cb'
const JSON_TYPE = { 'content-type': 'application/json' }

describe('R: why a registration is refused', () => {
  let portal: OpenPortal
  let token: string

  beforeAll(async () => {
    portal = await openPortal({ env: { TRUSTED_PROXIES: '1' } })
    token = await machineToken(portal)
  })

  afterAll(() => portal.stop())

  async function set(clientRegistration: object) {
    const { headers } = await callApi(portal, token, 'GET', '/settings')
    const seen = { 'if-match': headers.etag ?? '' }
    const body = { clientRegistration }
    expect((await callApi(portal, token, 'PATCH', '/settings', body, seen)).status).toBe(200)
  }

  const send = (method: string, path: string, body: unknown, bearer?: string) =>
    ask(portal.origin, {
      method,
      path,
      headers: { ...JSON_TYPE, ...(bearer && { authorization: `Bearer ${bearer}` }) },
      body: JSON.stringify(body),
    })

  async function recorded({ headers }: { headers: Record<string, string> }) {
    await portal.op.settled()
    const requestId = headers['x-request-id'] ?? ''
    const where = { requestId, event: 'registration.refused' }
    const entry = await portal.op.db.auditEntry.findFirst({ where })
    return entry && { target: entry.targetId, detail: entry.detail }
  }

  const policy = async () => (await portal.op.settings.current()).clientRegistration
  const good = { redirect_uris: [CALLBACK], client_name: 'An unknown client' }

  test('off, without a valid token, with metadata that is not allowed: in the audit log', async () => {
    const off = await send('POST', '/oidc/register', good)
    expect(await recorded(off)).toMatchObject({ detail: { reason: 'registration_off' } })
    await set({ mode: 'token' })
    const without = await send('POST', '/oidc/register', good)
    expect(await recorded(without)).toMatchObject({
      target: null,
      detail: { error: 'invalid_token', reason: 'initial_token' },
    })
    await set({ mode: 'open' })
    const wrong = await send('POST', '/oidc/register', { redirect_uris: ['https://*.example'] })
    expect(JSON.parse(wrong.body).error).toBe('invalid_redirect_uri')
    expect(await recorded(wrong)).toMatchObject({
      detail: { reason: 'metadata_refused', description: JSON.parse(wrong.body).error_description },
    })
    expect(wrong.body).not.toContain('metadata_refused')
  })

  test('R5: a wrong token for a registration is listed at its application', async () => {
    const { client_id } = JSON.parse((await send('POST', '/oidc/register', good)).body)
    const path = `/oidc/register/${client_id}`
    expect(await recorded(await send('PUT', path, good, 'ghrg_wrong'))).toMatchObject({
      target: client_id,
      detail: { error: 'invalid_token', reason: 'registration_token' },
    })
    const unknown = await send('PUT', '/oidc/register/app_nobody', good, 'ghrg_wrong')
    expect(await recorded(unknown)).toMatchObject({ target: null })
    const { data } = (await callApi(portal, token, 'GET', `/applications/${client_id}/refusals`))
      .json
    expect(data).toMatchObject([{ event: 'registration.refused', reason: 'registration_token' }])
  })

  test('another request changed it first', async () => {
    const made = JSON.parse((await send('POST', '/oidc/register', good)).body)
    const { client_id, registration_access_token: bearer } = made
    const path = `/oidc/register/${client_id}`
    const body = { ...good, client_id }
    const changePolicy: OpenPortal['op']['changePolicy'] = async (work, touched) => {
      expect((await send('PUT', path, body, bearer)).status).toBe(200)
      return portal.op.changePolicy(work, touched)
    }
    const late = {
      ...incoming({ ...JSON_TYPE, authorization: `Bearer ${bearer}` }),
      url: path,
      body: async () => Buffer.from(JSON.stringify(body)),
    }
    const replace = () => replaceRegistration({ ...portal.op, changePolicy }, late)
    expect(await refusalIn(replace)).toBe('temporarily_unavailable registration_conflict')
  })

  test('what is no registration', async () => {
    const posted = (headers: Record<string, string>) => readMetadata(incoming(headers))
    expect(await refusalIn(() => posted({}))).toBe('invalid_request body_type')
    expect(await refusalIn(() => metadataIn([]))).toBe('invalid_client_metadata metadata_malformed')
  })

  test('as many as allowed', async () => {
    const refused = refusalIn(() => {
      throw full()
    })
    expect(await refused).toBe('temporarily_unavailable registration_full')
  })

  test('R6: software statements', async () => {
    const issuer = 'https://trusted.example'
    const softwareIssuers = [{ issuer, jwksUri: 'https://trusted.example/keys' }]
    const needed = { ...(await policy()), requireStatement: true, softwareIssuers }
    const signed = (iss: string) =>
      new SignJWT({ iss }).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    const away = async () => {
      throw new Error('away')
    }
    const refused = (software_statement?: string, op = portal.op) =>
      refusalIn(() => withStatement(op, needed, { software_statement }))
    expect(await refused()).toBe('invalid_software_statement statement_missing')
    expect(await refused('x')).toBe('invalid_software_statement statement_invalid')
    expect(await refused(await signed('https://x.test'))).toBe(
      'unapproved_software_statement statement_issuer',
    )
    expect(await refused(await signed(issuer))).toBe('invalid_software_statement statement_invalid')
    const asymmetric = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: issuer })).toString('base64url')}.AAAA`
    expect(await refused(asymmetric, { ...portal.op, remoteKeys: () => away })).toBe(
      'invalid_software_statement statement_keys',
    )
  })

  test('R10, R14: an address that no document may have', async () => {
    const off = await policy()
    const on = { ...off, documents: true, documentDenied: ['evil.example'] }
    const refused = (id: string, settings = on) =>
      refusalIn(() => requireAddress(portal.op, settings, id))
    expect(await refused('https://rp.example/client', off)).toBe('invalid_request documents_off')
    expect(await refused('https://rp.example/client#x')).toBe('invalid_request document_address')
    expect(await refused('https://evil.example/client')).toBe('invalid_request document_host')
  })

  test('R14: a document that is refused: in the audit log, with the client ID that was sent', async () => {
    const query = { client_id: 'https://rp.example/client', redirect_uri: CALLBACK }
    const path = `/oidc/auth?${new URLSearchParams(query)}`
    const { headers } = await ask(portal.origin, { path })
    await portal.op.settled()
    const where = { requestId: headers['x-request-id'] ?? '', event: 'authorize.refused' }
    const entry = await portal.op.db.auditEntry.findFirst({ where })
    expect(entry?.detail).toMatchObject({ reason: 'documents_off', client_id: query.client_id })
  })
})
