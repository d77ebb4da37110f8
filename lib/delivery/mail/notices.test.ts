import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, usually } from '../../../e2e/support/databases'
import { temporaryFolder } from '../../../e2e/support/folder'
import { type MailServer, type ReceivedMail, startMailServer } from '../../../e2e/support/smtp'
import {
  beginEnrolment,
  finishEnrolment,
  listAuthenticators,
  openEnrolment,
  removeAuthenticator,
} from '../../accounts/authenticators'
import { changePassword } from '../../accounts/change-password'
import { startSession } from '../../accounts/new-session'
import { hashPassword } from '../../accounts/passwords'
import { newRecoveryCodes } from '../../accounts/recovery-codes'
import { factorProof } from '../../accounts/second-factor'
import { stepUp } from '../../accounts/step-up'
import { DAY_MS } from '../../base/time'
import { createOp, type OpenOp } from '../../op'
import { readConfig } from '../../settings/config'
import type { Session } from '../../store/accounts/sessions'
import { createUser } from '../../store/accounts/users'
import { migrate } from '../../store/operations/migrations'
import { deliverDue } from '../deliver'

const PASSWORD = 'correct horse battery staple'
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const NEWER_FIREFOX = FIREFOX.replaceAll('140', '145')
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36'
const HERE = { ip: '192.0.2.7', userAgent: FIREFOX, locale: 'en' } as const

describe.each(usually('sqlite'))(
  'a letter for each change that could be somebody else’s, on %s',
  (kind) => {
    let portal: OpenOp
    let server: MailServer
    let passwordHash = ''
    let time = Date.now()

    beforeAll(async () => {
      server = await startMailServer()
      const url = await freshDatabase[kind]()
      await migrate(url)
      const env = { DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }
      const mail = { SMTP_URL: server.url, MAIL_FROM: 'id@example.com' }
      portal = await createOp(readConfig({ ...env, ...mail }), () => new Date(time))
      passwordHash = await hashPassword(PASSWORD)
    })

    afterAll(async () => {
      await portal.close()
      await server.close()
    })

    type Who = { userId: string; email: string }

    async function newPerson(profile = {}): Promise<Who> {
      const email = `${crypto.randomUUID()}@example.org`
      const person = { name: 'Ann', email, emailVerified: true, adminRole: null, passwordHash }
      const userId = await portal.write((tx) =>
        createUser(tx, { ...person, profile }, portal.now()),
      )
      return { userId, email }
    }

    async function signedIn(who: Who, from: Partial<typeof HERE> | object = {}): Promise<Session> {
      const login = { userId: who.userId, acr: 'pwd', amr: ['pwd'], ...HERE, ...from }
      const { secret } = await portal.write((tx) => startSession(portal, tx, login))
      const session = await portal.sessions.find(portal.hashSecret(secret), portal.now())
      if (!session) throw new Error('no session')
      return session
    }

    /** All letters that the work leads to, in the order in which they came. */
    async function lettersOf(work: () => Promise<unknown>): Promise<ReceivedMail[]> {
      const before = server.received.length
      await work()
      while ((await deliverDue(portal)) > 0);
      return server.received.slice(before)
    }

    const subjectsOf = async (work: () => Promise<unknown>) =>
      (await lettersOf(work)).map(({ subject }) => subject)

    async function withApp(session: Session): Promise<void> {
      const id = (await beginEnrolment(portal, session)) ?? ''
      const { secret = '' } = (await openEnrolment(portal, session, id)) ?? {}
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time })
      await finishEnrolment(portal, session, { id, name: 'Phone', code }, HERE)
    }

    test('a password, a factor and recovery codes: what, when, from where, and a way to say no', async () => {
      const who = await newPerson({ zoneinfo: 'Asia/Tokyo' })
      const session = await signedIn(who)
      time = Date.parse('2026-11-15T20:30:00Z')
      const [added] = await lettersOf(() => withApp(session))
      expect(added).toMatchObject({ subject: 'A sign-in method was added', to: [who.email] })
      expect(added?.text).toContain('What changed: Authenticator app')
      expect(added?.text).toContain('When: November 16, 2026 at 5:30:00')
      expect(added?.text).toContain('Device: Firefox on Linux')
      expect(added?.text).toContain('IP address: 192.0.2.7')
      expect(added?.text).toContain(`${portal.origin}/not-me?token=ghlk_`)

      let codes: string[] = []
      const made = await subjectsOf(async () => {
        codes = (await newRecoveryCodes(portal, session, HERE))?.codes ?? []
      })
      expect(made).toEqual(['You have new recovery codes'])
      const spend = async (recovery = '') => {
        const from = { ...HERE, ip: '192.0.2.9' }
        const typed = { recovery, code: '', passkey: '' }
        const proof = await factorProof(portal, session.user.id, typed, from)
        if (proof) await stepUp(portal, session, proof, from)
      }
      const [used, ...more] = await lettersOf(() => spend(codes[0]))
      expect([used?.subject, more]).toEqual(['A recovery code was used', []])
      expect(used?.text).toMatch(/Device: Firefox on Linux\r?\n {2}IP address: 192\.0\.2\.9/)
      expect(await subjectsOf(() => spend('wrong'))).toEqual([])

      const [app] = await listAuthenticators(portal, session)
      const remove = () => removeAuthenticator(portal, session, app?.id ?? '', HERE)
      expect(await subjectsOf(remove)).toEqual(['A sign-in method was removed'])
      expect(await subjectsOf(remove)).toEqual([])

      const change = (current: string) =>
        changePassword(portal, session, { current, next: 'seven quiet herons by the weir' }, HERE)
      expect(await subjectsOf(() => change('not my password'))).toEqual([])
      expect(await subjectsOf(() => change(PASSWORD))).toEqual(['Your password was changed'])
    })

    test('in the language of the page where it was done', async () => {
      const who = await newPerson()
      const session = await signedIn(who)
      const origin = { ...HERE, ip: null, locale: 'zh-Hans' } as const
      const typed = { current: PASSWORD, next: 'seven quiet herons by the weir' }
      const [letter] = await lettersOf(() => changePassword(portal, session, typed, origin))
      expect(letter?.subject).toBe('您的密码已更改')
      expect(letter?.text).toContain('IP 地址: 未知')
    })

    test('a browser in a network not seen for 90 days; never at the first sign-in', async () => {
      const who = await newPerson()
      const from = (place: object) => subjectsOf(() => signedIn(who, place))
      const news = ['A new device signed in']
      expect(await from({})).toEqual([])
      expect(await from({})).toEqual([])
      expect(await from({ userAgent: NEWER_FIREFOX })).toEqual([])
      expect(await from({ userAgent: CHROME })).toEqual(news)
      expect(await from({ userAgent: CHROME })).toEqual([])
      expect(await from({ ip: '198.51.100.4' })).toEqual(news)
      expect(await from({ ip: '2001:db8:1:2::3' })).toEqual(news)
      expect(await from({ ip: '2001:db8:1:2:ffff::4' })).toEqual([])
      time += 91 * DAY_MS
      expect(await from({})).toEqual(news)
      expect(await subjectsOf(async () => signedIn(await newPerson()))).toEqual([])
    })

    test('a change that is taken back takes its letter with it', async () => {
      const who = await newPerson()
      const broken = portal.write(async (tx) => {
        await startSession(portal, tx, { userId: who.userId, acr: 'pwd', amr: [], ...HERE })
        await startSession(portal, tx, {
          userId: who.userId,
          acr: 'pwd',
          amr: [],
          ...HERE,
          ip: null,
        })
        throw new Error('taken back')
      })
      expect(await subjectsOf(() => broken.catch(() => {}))).toEqual([])
    })
  },
)
