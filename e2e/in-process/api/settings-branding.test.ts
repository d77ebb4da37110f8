import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { previewApplication, previewPortal } from '../../../lib/admin/sign-in-preview'
import { exportConfiguration } from '../../../lib/api/configuration/export'
import { signedInCaller } from '../../../lib/api/http/caller'
import { clientFor } from '../../../lib/api/http/client'
import { findLogo } from '../../../lib/store/applications/branding'
import { usually } from '../../support/databases'
import { bombPng, twoColours } from '../../support/pictures'
import { call, owner, portal, seen, set, startSettings } from '../../support/settings'

/** How the sign-in page of the portal looks: what is kept, and what is refused. */

const NOTHING = { privacy: null, terms: null, help: null }
const ALL = ['password', 'mail', 'passkey', 'provider']

async function refusal(branding: object) {
  const answer = await call('PATCH', '/settings', { branding }, await seen('/settings'))
  const [first] = answer.json.errors ?? []
  return [answer.status, first?.pointer, first?.code]
}

describe.each(usually('sqlite'))('the sign-in page on %s', (kind) => {
  startSettings(kind)
  const branding = async () => (await call('GET', '/settings')).json.branding

  test('says nothing of its own at first; texts, links, order and drawing are kept', async () => {
    expect(await branding()).toEqual({
      name: 'Gatehouse',
      accent: null,
      signInTitle: {},
      signInText: {},
      links: NOTHING,
      methods: { order: ALL, hidden: [] },
      drawing: true,
      logoLight: null,
      logoDark: null,
      picture: null,
    })
    const wanted = {
      signInTitle: { en: 'Welcome to Łódź & Söhne', ja: 'ようこそ' },
      signInText: { en: 'With your <b>staff</b> account.' },
      links: { ...NOTHING, help: 'https://example.com/help?from=sign-in' },
      methods: { order: ['passkey', 'password'], hidden: [] },
      drawing: false,
    }
    await set({ branding: wanted })
    const order = ['passkey', 'password', 'mail', 'provider']
    expect(await branding()).toMatchObject({ ...wanted, methods: { order, hidden: [] } })
    // One member of it leaves the others.
    await set({ branding: { drawing: true } })
    expect(await branding()).toMatchObject({ ...wanted, drawing: true, methods: { order } })
  })

  test.each([
    ['V\u0435rified', 'portal_words'],
    ['Checked ✓', 'portal_words'],
    ['\u{1F512} secure', 'portal_words'],
    ['Go to https://evil.test', 'portal_words'],
    ['a\u202Eb', 'not_plain'],
    ['two\nlines', 'not_plain'],
    ['x'.repeat(61), 'too_long'],
    ['', 'too_short'],
  ])('N17: the title %j is refused', async (title, code) => {
    expect(await refusal({ signInTitle: { en: title } })).toEqual([
      400,
      '/branding/signInTitle/en',
      expect.stringMatching(code === 'too_short' ? /./ : code),
    ])
  })

  test('N17: the line is as short as that of an application, in languages that there are', async () => {
    const text = 'x'.repeat(200)
    await set({ branding: { signInText: { en: text } } })
    expect((await refusal({ signInText: { en: `${text}x` } }))[1]).toBe('/branding/signInText/en')
    expect((await refusal({ signInText: { tlh: 'nuqneH' } }))[0]).toBe(400)
    await set({ branding: { signInText: {} } })
  })

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'http://example.com/privacy',
    'https://user:secret@example.com/',
    '//example.com',
    'https://',
    '',
  ])('N17: a link to %j is refused', async (link) => {
    for (const name of Object.keys(NOTHING)) {
      const answer = await refusal({ links: { ...NOTHING, [name]: link } })
      expect(answer.slice(0, 2)).toEqual([400, `/branding/links/${name}`])
    }
  })

  test('N6: no other link, method or member', async () => {
    expect((await refusal({ links: { ...NOTHING, css: null } }))[1]).toBe('/branding/links/css')
    expect((await refusal({ methods: { order: ['magic'], hidden: [] } }))[0]).toBe(400)
    expect((await refusal({ logoLight: 'https://evil.test/a.png' }))[1]).toBe('/branding/logoLight')
    expect((await refusal({ pictures: { light: 'lgo_x' } }))[1]).toBe('/branding/pictures')
  })

  test('Q260: methods are not hidden until no owner could sign in', async () => {
    const at = '/branding/methods/hidden'
    const hide = (...hidden: string[]) => refusal({ methods: { order: [], hidden } })
    expect(await hide(...ALL)).toEqual([400, at, 'methods_none'])
    // There is no provider.
    expect(await hide('password', 'passkey')).toEqual([400, at, 'methods_none'])
    // The owner has a password only.
    expect(await hide('password')).toEqual([400, at, 'methods_no_owner'])
    const provider = { kind: 'oidc', name: 'Acme', issuer: 'https://id.acme.example' }
    const client = { clientId: 'portal', clientSecret: 'a secret of the provider' }
    const path = '/settings/providers/acme'
    const added = await call('PUT', path, { ...provider, ...client }, await seen('/settings'))
    expect(added.status).toBe(200)
    expect(await hide('password', 'passkey')).toEqual([400, at, 'methods_no_owner'])
    await set({ branding: { methods: { order: [], hidden: ['passkey'] } } })
    // A code by mail, to the verified address of the owner.
    expect(await hide('password', 'passkey', 'provider')).toEqual([400, at, 'methods_none'])
    await set({ security: { mailSignIn: true } })
    await set({ branding: { methods: { order: [], hidden: ['password', 'passkey', 'provider'] } } })
    await set({ branding: { methods: { order: [], hidden: [] } } })
    await set({ security: { mailSignIn: false } })
    expect((await call('DELETE', path, undefined, await seen('/settings'))).status).toBe(200)
    await set({ branding: { methods: { order: [], hidden: [] } } })
  })

  test('Q260: an application cannot hide every method either', async () => {
    const path = '/applications/app_demo_web/branding'
    const methods = { order: ['passkey'], hidden: ['password', 'passkey'] }
    const refused = await call('PATCH', path, { methods }, await seen(path))
    expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/methods/hidden'])
    const some = { order: ['passkey'], hidden: ['password'] }
    const saved = await call('PATCH', path, { methods: some }, await seen(path))
    const order = ['passkey', 'password', 'mail', 'provider']
    expect(saved.json.methods).toEqual({ order, hidden: ['password'] })
    const back = await call('PATCH', path, { methods: null }, await seen(path))
    expect(back.json.methods).toBeNull()
  })

  const idOf = (address: string) => new URL(address).pathname.replace('/logo/', '')
  const pictureOf = (id: string) => portal.op.read((db) => findLogo(db, id))
  const png = async (width = 900, height = 600) =>
    (await twoColours(width, height).png().toBuffer()).toString('base64')

  test.each([
    ['/settings/branding/logos', async () => (await call('GET', '/settings')).json.branding],
    [
      '/applications/app_demo_web/branding/logos',
      async () => (await call('GET', '/applications/app_demo_web/branding')).json,
    ],
  ])('N18: the pictures of %s are drawn anew, replaced and removed', async (path, look) => {
    const version = async () => (path.startsWith('/settings') ? seen('/settings') : {})
    for (const [place, member, width, height] of [
      ['light', 'logoLight', 256, 256],
      ['picture', 'picture', 900, 600],
    ] as const) {
      const put = async (picture: string) =>
        call('PUT', `${path}/${place}`, { picture }, await version())
      expect((await put(await png())).status).toBe(200)
      const first = idOf((await look())[member])
      const drawn = await sharp((await pictureOf(first)) ?? undefined).metadata()
      expect(drawn).toMatchObject({ format: 'webp', width, height })
      expect((await put(await png(90, 90))).status).toBe(200)
      expect(await pictureOf(first)).toBeNull()
      const second = idOf((await look())[member])
      expect(await pictureOf(second)).not.toBeNull()
      // Colours and texts that are saved keep it.
      await set({ branding: { drawing: true } })
      expect(idOf((await look())[member])).toBe(second)
      const gone = async () =>
        (await call('DELETE', `${path}/${place}`, undefined, await version())).status
      expect([Math.floor((await gone()) / 100), await gone()]).toEqual([2, 404])
      expect([await pictureOf(second), (await look())[member]]).toEqual([null, null])
    }
  })

  test('N18: what is no picture is refused, and nothing is stored', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'
    for (const sent of [Buffer.from(svg), await bombPng(), Buffer.alloc(0)]) {
      for (const place of ['light', 'dark', 'picture']) {
        const body = { picture: sent.toString('base64') }
        const path = `/settings/branding/logos/${place}`
        const refused = await call('PUT', path, body, await seen('/settings'))
        expect([refused.status, refused.json.errors[0].pointer]).toEqual([400, '/picture'])
      }
    }
    const elsewhere = '/settings/branding/logos/favicon'
    const unknown = await call('PUT', elsewhere, { picture: await png() }, await seen('/settings'))
    expect(unknown.status).toBe(404)
    expect(await branding()).toMatchObject({ logoLight: null, logoDark: null, picture: null })
  })

  test('a configuration has all of it but the pictures', async () => {
    const picture = { picture: await png() }
    await call('PUT', '/settings/branding/logos/dark', picture, await seen('/settings'))
    await set({ branding: { links: { ...NOTHING, terms: 'https://example.com/terms' } } })
    const { settings } = (await exportConfiguration(portal.op)) as {
      settings: { branding: object }
    }
    expect(Object.keys(settings.branding).sort()).toEqual(
      ['accent', 'drawing', 'links', 'methods', 'name', 'signInText', 'signInTitle'].sort(),
    )
  })

  describe('a preview', () => {
    const shown = { locale: 'en', theme: 'dark' }

    async function asOwner() {
      const session = await portal.op.sessionOf({ headers: new Headers(owner) })
      if (!session) throw new Error('the owner is not signed in')
      const body = async () => new Uint8Array()
      const from = { method: 'POST', url: '', headers: new Headers(), ip: null, body }
      return clientFor(portal.op, signedInCaller(session), { ...from, requestId: 'preview' })
    }

    test('Q261: is checked as the change is, and changes nothing', async () => {
      const ask = await asOwner()
      const before = await branding()
      const body = { ...shown, signInTitle: { en: 'Hello' } }
      const { body: answer } = await ask(previewPortal, { body })
      expect(answer.address).toMatch(/^\/login\/preview\?draft=[\w-]{40,}$/)
      expect(answer.address).not.toContain('Hello')
      expect(await branding()).toEqual(before)
      for (const wrong of [
        { signInTitle: { en: 'Verified ✓' } },
        { links: { ...NOTHING, help: 'javascript:alert(1)' } },
        { accent: { light: '#ffee00', dark: '#9ac4ff' } },
        { pictures: {} },
      ]) {
        const refused = ask(previewPortal, { body: { ...shown, ...wrong } as never })
        await expect(refused).rejects.toMatchObject({ code: 'invalid' })
      }
      const params = { id: 'app_demo_web' }
      const colour = { ...shown, accent: '#ffee00' }
      const app = ask(previewApplication, { params, body: colour })
      await expect(app).rejects.toMatchObject({ code: 'invalid' })
    })
  })
})
