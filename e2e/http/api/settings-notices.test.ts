import { describe, expect, test } from 'vitest'
import { formWith } from '../../support/old-browser'
import type { MailServer } from '../../support/smtp'
import {
  as,
  audit,
  changeSettings,
  FROM,
  letterTo,
  newMail,
  newPerson,
  oldMail,
  openId,
  ours,
  owner,
  pathOf,
  portal,
  putProvider,
  set,
  signedIn,
  startPeople,
  theirs,
} from '../../support/two-providers'

// A portal of its own: its mail server and its providers are what changes.
startPeople()

describe('the mail server and the providers', () => {
  const mail = (server: MailServer, more = {}) => ({
    mail: { server: server.url, from: FROM, ...more },
  })
  const toOwner = (server: MailServer, after: number, words: string) =>
    letterTo(server, portal.demo().admin.email, words, after)

  test('Q2: a change of the mail server is written to every owner through the old one as well', async () => {
    // The mail about the set-up itself is none of those that are counted below.
    await toOwner(oldMail, 0, 'The mail server was changed')
    const second = await newPerson({ adminRole: 'owner' })
    const before = [oldMail.received.length, newMail.received.length] as const
    await set(mail(newMail, { password: 'canary-mail-password' }))
    for (const [server, after] of [
      [oldMail, before[0]],
      [newMail, before[1]],
    ] as const) {
      for (const address of [portal.demo().admin.email, second.email]) {
        const letter = await letterTo(server, address, 'The mail server was changed', after)
        expect(letter.text).toContain(`Before: 127.0.0.1:${oldMail.port}`)
        expect(letter.text).toContain(`Now: 127.0.0.1:${newMail.port}`)
        expect(letter.text).toContain(`Changed by: ${portal.demo().admin.email}`)
        expect(letter.text).toContain(`sent through: 127.0.0.1:${server.port}`)
        expect(letter.raw).not.toContain('canary-mail-password')
      }
    }
    const [entry] = await audit('event=settings.changed')
    expect(entry?.detail).toEqual({
      before: { mail: { server: oldMail.url, from: FROM, passwordSet: false } },
      after: { mail: { server: newMail.url, from: FROM, passwordSet: true } },
      mailPasswordChanged: true,
    })

    // Taken away: the one that is left behind says so.
    const last = newMail.received.length
    await set({ mail: null })
    expect((await toOwner(newMail, last, 'Now: none')).subject).toBe('The mail server was changed')
    await set(mail(oldMail))
  })

  test('Q2: so is a change of a provider; what stays the same is not told', async () => {
    const start = oldMail.received.length
    await putProvider('told', openId(theirs.origin, { clientSecret: 'canary-provider' }))
    const added = await toOwner(oldMail, start, 'What changed: told')
    expect(added.subject).toBe('A sign-in provider was changed')
    expect(added.text).toContain('Before: none')
    expect(added.text).toContain(`Now: oidc, ${theirs.host}`)

    await putProvider('told', openId(theirs.origin, { clientSecret: 'canary-provider' }))
    const second = oldMail.received.length
    const gone = await changeSettings(owner, 'DELETE', '/settings/providers/told')
    expect(gone.status).toBe(200)
    expect((await toOwner(oldMail, second, 'What changed: told')).text).toContain('Now: none')
    const told = oldMail.received.slice(start).filter(({ to, subject }) => {
      return to.includes(portal.demo().admin.email) && subject === added.subject
    })
    expect(told).toHaveLength(2)
    const saved = await audit('event=settings.provider_saved')
    expect(saved.map(({ detail }) => detail.secretChanged).slice(0, 2)).toEqual([false, true])
    expect(JSON.stringify([saved, told])).not.toContain('canary-provider')
  })

  test('Q2: who changes them has just confirmed who they are: the API says so, the pages ask', async () => {
    await putProvider('partner', openId(ours.origin))
    const boss = await newPerson({ adminRole: 'owner' })
    const browser = await signedIn(boss)
    const calls = [
      ['PATCH', '/settings', mail(newMail)],
      ['PUT', '/settings/providers/late', openId(theirs.origin)],
      ['DELETE', '/settings/providers/partner', undefined],
    ] as const
    for (const [method, path, body] of calls) {
      const refused = await changeSettings(browser, method, path, body)
      expect([refused.status, refused.json.code]).toEqual([403, 'confirmation_needed'])
      expect(refused.json.detail).toContain(`${portal.origin}/account/confirm`)
    }
    const { json } = await as(owner)('GET', '/settings')
    expect(json.mail.server).toBe(oldMail.url)
    expect(json.providers.map(({ id }: { id: string }) => id)).toContain('partner')
    // Other settings are no way in.
    const other = { branding: { name: 'Gatehouse' } }
    expect((await changeSettings(browser, 'PATCH', '/settings', other)).status).toBe(200)

    const page = await browser.open('/admin/settings/mail')
    expect(page.html).toContain('<fieldset disabled=""')
    const [, way = ''] = /href="(\/account\/confirm\?[^"]+)"/.exec(page.html) ?? []
    const back = await browser.submit(formWith(await browser.open(way), 'type="password"'), {
      password: boss.password,
    })
    expect(pathOf(back)).toBe('/admin/settings/mail')
    expect(back.html).not.toContain('<fieldset disabled=""')
    const typed = { server: oldMail.url, from: 'New <new@x.example>', password: '' }
    const saved = await browser.submit(formWith(back, 'name="server"'), typed)
    expect(saved.url).toContain('done=settingsSaved')

    // A form that was open for too long leads to the question, and back to the form.
    const late = await signedIn(boss)
    const asked = await late.submit(formWith(saved, 'name="server"'), typed)
    expect(pathOf(asked)).toBe('/account/confirm')
    expect(new URL(asked.url).searchParams.get('returnTo')).toContain('/admin/settings/mail')
    const adding = await late.open('/admin/settings/providers/new')
    expect(adding.html).toContain('href="/account/confirm?returnTo=%2Fadmin%2Fsettings%2Fproviders')
    expect(adding.html).not.toContain('name="clientSecret"')
  })
})
