import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, usually } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { parseEmail } from '../base/email'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import { migrate } from '../store/operations/migrations'
import { hashPassword, passwordProblem, verifyPassword } from './passwords'
import { completeSetUp, isSetUpLinkOpen, newSetUpLink } from './set-up'
import { signInWithPassword } from './sign-in'

const PASSWORD = 'correct horse battery staple'

describe('passwords', () => {
  const own = ['Ann Lindqvist', 'ann.lindqvist@example.org', 'annlindqvist', null]

  test.each([
    ['password_short', 'fourteen chars'],
    ['password_long', 'x'.repeat(1025)],
    ['password_long', '水'.repeat(342)],
    ['password_common', 'aaaaaaaaaaaaaaaaaaaa'],
    ['password_common', 'PasswordPassword'],
    ['password_common', '1QAZ2wsx3EDC4rfv'],
    ['password_common', '!!Password2026!!'],
    ['password_common', 'letmeinletmeinletmein'],
    ['password_common', '5678901234567890'],
    ['password_common', 'lkjhgfdsapoiuytrewq'],
    ['password_common', 'Internationalization'],
    ['password_own', 'Ann.Lindqvist@Example.org1'],
    ['password_own', '2026-LINDQVIST-lindqvist!'],
    ['password_own', 'Gatehouse Gatehouse 1'],
    [null, PASSWORD],
    [null, 'lindqvist rowing a heron'],
    [null, '水木火土金水木火土金天地玄黄宇'],
  ])('M28, 800-63B-4: %s: %s', async (problem, password) => {
    expect(await passwordProblem(password, { own, shortest: 15 })).toBe(problem)
  })

  test('eight are enough beside a second factor, and the list still counts', async () => {
    const beside = { own, shortest: 8 }
    expect(await passwordProblem('gf7-weir', beside)).toBeNull()
    expect(await passwordProblem('gf7-wei', beside)).toBe('password_short')
    expect(await passwordProblem('sunshine', beside)).toBe('password_common')
    expect(await passwordProblem('lindqvist9', beside)).toBe('password_own')
  })

  test('are argon2id and compare by their normal form', async () => {
    const hash = await hashPassword('caf\u00e9 caf\u00e9 caf\u00e9')
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await verifyPassword(hash, 'cafe\u0301 cafe\u0301 cafe\u0301')).toBe(true)
    expect(await verifyPassword(hash, 'cafe cafe cafe')).toBe(false)
    expect(await verifyPassword(null, PASSWORD)).toBe(false)
  })
})

test.each([
  ['ann@example.com', 'ann@example.com'],
  [' ann＠example.com ', 'ann@example.com'],
  ['a@x.com,b@y.com', null],
  ['a@x.com\nBcc: b@y.com', null],
  ['ann', null],
  [`${'a'.repeat(250)}@x.com`, null],
])('M26: an address is one address: %j', (input, expected) => {
  expect(parseEmail(input)).toBe(expected)
})

describe.each(usually('sqlite'))('the first admin on %s', (kind) => {
  let portal: OpenOp

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    portal = await createOp(
      readConfig({ DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }),
    )
  })

  afterAll(() => portal.close())

  const form = { name: 'Ada', email: 'ada@example.com', password: PASSWORD }
  const origin = { ip: '127.0.0.1', userAgent: 'test' }

  async function linkToken(): Promise<string> {
    const link = await newSetUpLink(portal)
    return new URL(link ?? 'none:').searchParams.get('token') ?? ''
  }

  test('is refused with a wrong link, a bad address or a short password; nothing is stored', async () => {
    const token = await linkToken()
    const attempt = (change: Partial<typeof form & { token: string }>) =>
      completeSetUp(portal, { token, ...form, ...origin, ...change })
    expect(await attempt({ token: 'ghlk_wrong' })).toEqual({ ok: false, problem: 'link' })
    expect(await attempt({ email: 'nope' })).toEqual({ ok: false, problem: 'email' })
    expect(await attempt({ name: '  ' })).toEqual({ ok: false, problem: 'name_missing' })
    expect(await attempt({ password: 'short' })).toEqual({ ok: false, problem: 'password_short' })
    expect(await portal.users.anyExists()).toBe(false)
    expect(await isSetUpLinkOpen(portal, token)).toBe(true)
  })

  test('M29: is created once by 10 parallel requests with two links, and never again', async () => {
    const tokens = [await linkToken(), await linkToken()]
    const attempts = Array.from({ length: 10 }, (_, index) =>
      completeSetUp(portal, {
        token: tokens[index % 2] ?? '',
        ...form,
        email: `ada${index}@example.com`,
        ...origin,
      }),
    )
    const results = await Promise.all(attempts)
    expect(results.filter(({ ok }) => ok)).toHaveLength(1)
    expect(results.filter(({ ok }) => !ok)).toEqual(Array(9).fill({ ok: false, problem: 'link' }))
    expect(await portal.db.user.count()).toBe(1)
    expect(await newSetUpLink(portal)).toBeNull()
    await portal.db.user.deleteMany()
    expect(await newSetUpLink(portal)).toBeNull()
    expect(await isSetUpLinkOpen(portal, tokens[0] ?? '')).toBe(false)
  })

  test('M1, M5: wrong, unknown and disabled are one answer, and guessing is slowed down', async () => {
    const hash = await hashPassword(PASSWORD)
    const stamps = { createdAt: portal.now(), updatedAt: portal.now() }
    await portal.db.user.create({
      data: {
        id: 'usr_disabled',
        emailKey: 'off@example.com',
        profile: {},
        attributes: {},
        disabledAt: portal.now(),
        password: { create: { hash, changedAt: portal.now() } },
        ...stamps,
      },
    })
    const attempt = (identifier: string, password: string) =>
      signInWithPassword(portal, { identifier, password }, origin)
    expect(await attempt('off@example.com', PASSWORD)).toEqual({ ok: false, problem: 'mismatch' })
    expect(await attempt('nobody@example.com', PASSWORD)).toEqual({
      ok: false,
      problem: 'mismatch',
    })
    const guesses = await Promise.all(
      Array.from({ length: 15 }, () => attempt('guessed@example.com', 'a guess')),
    )
    const slowed = guesses.filter((guess) => !guess.ok && guess.problem === 'slow_down')
    expect(slowed).toHaveLength(5)
  })
})
