import { describe, expect, test } from 'vitest'
import { ADMIN_SCOPES, callApi, machineToken } from '../support/api'
import {
  call,
  changed,
  created,
  demo,
  portal,
  read,
  startApi,
  token,
  unique,
} from '../support/api-objects'
import { ask, FORM } from '../support/ask'
import { KINDS } from '../support/databases'
import { authorizeUrl, pkcePair, received } from '../support/flow'
import { OldBrowser } from '../support/old-browser'

/** Which pages of browsers may read tokens: those of the redirect URIs, unless it is set otherwise. */

const CALLBACK = 'https://spa.example/callback'
const SPA = 'https://spa.example'
const LOCAL = 'http://localhost:5173'

describe.each(KINDS)('browser origins on %s', (kind) => {
  startApi(kind)

  const newSpa = (more: object = {}) =>
    created('/applications', {
      kind: 'spa',
      name: unique('Single page'),
      redirectUris: [CALLBACK],
      ...more,
    })
  const set = (id: string, body: object) => changed('PATCH', `/applications/${id}`, body)

  async function allowed(origin: string): Promise<string | undefined> {
    await portal.op.latestSnapshot()
    const asked = { method: 'OPTIONS', path: '/oidc/token', headers: { origin } }
    return (await ask(portal.origin, asked)).headers['access-control-allow-origin']
  }

  test('D28: a new single-page application has those of its redirect URIs, whatever they become', async () => {
    expect(await allowed(SPA)).toBeUndefined()
    const { id, ...made } = await newSpa()
    expect(made).toMatchObject({ origins: null, allowedOrigins: [SPA] })
    expect(await allowed(SPA)).toBe(SPA)
    const moved = await set(id, { redirectUris: [`${LOCAL}/cb`, `${LOCAL}/silent`] })
    expect(moved.json).toMatchObject({ origins: null, allowedOrigins: [LOCAL] })
    expect([await allowed(SPA), await allowed(LOCAL)]).toEqual([undefined, LOCAL])
    const own = await set(id, { origins: ['https://app.example'] })
    expect(own.json.allowedOrigins).toEqual(['https://app.example'])
    expect([await allowed(LOCAL), await allowed('https://app.example')]).toEqual([
      undefined,
      'https://app.example',
    ])
    expect((await set(id, { origins: [] })).json.allowedOrigins).toEqual([])
    expect(await allowed('https://app.example')).toBeUndefined()
    expect((await set(id, { origins: null })).json.allowedOrigins).toEqual([LOCAL])
    expect(await allowed(LOCAL)).toBe(LOCAL)
    expect((await set(id, { enabled: false })).status).toBe(200)
    expect(await allowed(LOCAL)).toBeUndefined()
  })

  test('D28: a private scheme has no origin, and neither has a sandboxed page', async () => {
    const { id } = await created('/applications', {
      kind: 'native',
      name: unique('Native'),
      redirectUris: ['com.example.app:/cb', 'https://claimed.example/cb'],
    })
    expect(await allowed('https://claimed.example')).toBeUndefined()
    expect((await set(id, { origins: null })).json.allowedOrigins).toEqual([
      'https://claimed.example',
    ])
    expect(await allowed('null')).toBeUndefined()
    expect((await set(id, { origins: ['null'] })).json.errors[0].pointer).toBe('/origins/0')
  })

  test('a file says it, and an export repeats it', async () => {
    const id = unique('filed')
    const one = { id, kind: 'spa', name: id, redirectUris: [CALLBACK] }
    const apply = (more: object) =>
      call('POST', '/configuration', { version: 1, applications: [{ ...one, ...more }] })
    expect((await apply({})).status).toBe(200)
    expect((await read(`/applications/${id}`)).json.origins).toBeNull()
    expect((await apply({ origins: null })).json.changes).toEqual([])
    expect((await apply({ origins: [SPA] })).json.changes).toHaveLength(1)
    expect((await read(`/applications/${id}`)).json).toMatchObject({ origins: [SPA] })
    expect((await apply({ origins: null })).json.changes).toHaveLength(1)
    expect((await read(`/applications/${id}`)).json.origins).toBeNull()
  })

  /** A user signs in, and the page of this origin redeems the code. */
  async function redeemAt(id: string, redirectUri: string, origin: string, wrong = '') {
    const alice = new OldBrowser(portal.origin)
    const { verifier, challenge } = pkcePair()
    const request = {
      client_id: id,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }
    const [person] = demo.users
    if (!person) throw new Error('no users')
    const next = await alice.signIn(await alice.open(authorizeUrl(request)), person)
    const page = next.url.includes('/consent') ? await alice.submit(next, {}) : next
    const { code = '' } = received(page)
    const fields = {
      grant_type: 'authorization_code',
      client_id: id,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier + wrong,
    }
    const body = new URLSearchParams(fields).toString()
    const headers = { ...FORM, origin }
    return ask(portal.origin, { method: 'POST', path: '/oidc/token', headers, body })
  }

  async function refusalsOf(id: string) {
    await portal.op.settled()
    const { data } = (await read(`/applications/${id}/refusals`)).json
    return data.filter(({ reason }: { reason: string }) => reason === 'origin_refused')
  }

  test('D29: tokens that a browser hid stand among the refusals, with what would allow the origin', async () => {
    const { id } = await newSpa({ redirectUris: [`${LOCAL}/cb`], origins: [] })
    const hidden = await redeemAt(id, `${LOCAL}/cb`, LOCAL)
    expect(hidden.status).toBe(200)
    expect(hidden.headers).not.toHaveProperty('access-control-allow-origin')
    const [first] = await refusalsOf(id)
    expect(first).toMatchObject({
      event: 'token.origin_refused',
      facts: { origin: LOCAL },
      offer: { origins: null },
    })
    await redeemAt(id, `${LOCAL}/cb`, 'https://elsewhere.example')
    const [second] = await refusalsOf(id)
    expect(second.offer).toEqual({ origins: ['https://elsewhere.example'] })
    expect((await set(id, first.offer)).status).toBe(200)
    const told = await redeemAt(id, `${LOCAL}/cb`, LOCAL)
    expect(told.headers['access-control-allow-origin']).toBe(LOCAL)
    const left = await refusalsOf(id)
    expect(left).toHaveLength(2)
    expect(left.map(({ offer }: { offer: object }) => offer)).toEqual([
      { origins: [LOCAL, 'https://elsewhere.example'] },
      null,
    ])
  })

  test('D29: whoever gets no tokens puts no origin there, and nobody gets the origin of a sandbox', async () => {
    const { id } = await newSpa({ redirectUris: [`${LOCAL}/cb`], origins: [] })
    const refused = await redeemAt(id, `${LOCAL}/cb`, 'https://evil.example', 'x')
    expect(refused.status).toBe(400)
    expect(await refusalsOf(id)).toEqual([])
    await redeemAt(id, `${LOCAL}/cb`, 'null')
    expect((await refusalsOf(id))[0]).toMatchObject({ facts: { origin: 'null' }, offer: null })
  })

  test('D29: to allow one takes the right to act as the application', async () => {
    const { id } = await newSpa()
    expect(
      (
        await changed('PUT', `/applications/${id}/grants`, {
          grants: [{ pattern: 'orders:refund' }],
        })
      ).status,
    ).toBe(200)
    const narrow = await machineToken(portal, 'applications:read applications:write')
    const { headers } = await callApi(portal, narrow, 'GET', `/applications/${id}`)
    const version = { 'if-match': headers.etag ?? '' }
    const path = `/applications/${id}`
    const origins = [SPA, 'https://more.example']
    const answer = await callApi(portal, narrow, 'PATCH', path, { origins }, version)
    expect([answer.status, answer.json.missing]).toEqual([
      403,
      expect.arrayContaining(['orders:refund']),
    ])
    expect((await callApi(portal, token, 'PATCH', path, { origins }, version)).status).toBe(200)
    expect(ADMIN_SCOPES).toContain('applications:write')
  })
})
