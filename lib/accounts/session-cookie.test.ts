import { randomBytes } from 'node:crypto'
import { decode, encode } from 'next-auth/jwt'
import { describe, expect, test } from 'vitest'
import { NOBODY, openSession, sealSession } from './session-cookie'

const settings = { origin: 'https://id.example.com', cookieKey: randomBytes(32) }
const secret = settings.cookieKey.toString('base64url')
const held = { active: 'ghss_one', others: ['ghss_two'] }

describe('the session cookie', () => {
  test('is next-auth’s, in both directions', async () => {
    const cookie = await sealSession(settings, held, 60)
    expect(await openSession(settings, cookie)).toEqual(held)
    expect(await decode({ token: cookie, secret })).toMatchObject({ secret: 'ghss_one' })
  })

  test('M11: tampered, foreign, malformed or over is nobody', async () => {
    const cookie = await sealSession(settings, held, 60)
    const foreign = await sealSession({ ...settings, cookieKey: randomBytes(32) }, held, 60)
    const over = await encode({ token: { secret: 'ghss_one' }, secret, maxAge: -60 })
    const [head, key, iv, text, tag] = cookie.split('.')
    const otherHead = Buffer.from('{"alg":"dir","enc":"A128GCM"}').toString('base64url')
    const tampered = [
      [head, key, iv, `${text?.slice(0, -2)}AA`, tag].join('.'),
      [otherHead, key, iv, text, tag].join('.'),
      [head, key, iv, text, tag?.slice(0, 4)].join('.'),
      cookie.slice(0, -1),
    ]
    for (const bad of [foreign, over, '', 'x', '....', ...tampered]) {
      expect(await openSession(settings, bad), bad).toEqual(NOBODY)
    }
  })
})
