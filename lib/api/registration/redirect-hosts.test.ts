import { describe, expect, test } from 'vitest'
import { redirectHostMistake } from './redirect-hosts'

/** Where a client that registers itself may send people (attack R2). */

const said = (uri: string, allowed: string[] = [], native = false) =>
  redirectHostMistake(uri, native, allowed)?.code ?? 'none'

describe('R2: a redirect URI', () => {
  test.each([
    'https://10.0.0.7/cb',
    'https://192.168.1.1:8443/cb',
    'https://[fd00::1]/cb',
    'https://[::ffff:10.0.0.7]/cb',
    'https://0x7f.1/cb',
    'https://localhost/cb',
    'https://printer/cb',
    'https://printer./cb',
    'https://nas.local/cb',
    'https://wiki.corp/cb',
    'https://router.home.arpa/cb',
    'https://db.INTERNAL/cb',
    'https://db.internal./cb',
  ])('into a private network is refused: %s', (uri) => {
    expect(said(uri)).toBe('redirect_private')
  })

  test.each(['https://rp.example/cb', 'https://local.example/cb', 'https://8.8.8.8/cb'])(
    'to a public host is taken: %s',
    (uri) => {
      expect(said(uri)).toBe('none')
    },
  )

  test('into a private network is taken if an admin listed the host', () => {
    expect(said('https://wiki.corp/cb', ['wiki.corp'])).toBe('none')
    expect(said('https://wiki.corp/cb', ['*.corp'])).toBe('none')
    expect(said('https://wiki.corp/cb', ['other.corp'])).toBe('redirect_private')
  })

  test('to another host than those that an admin listed is refused', () => {
    const allowed = ['app.example', '*.apps.example', 'port.example:8443']
    const of = (host: string) => said(`https://${host}/cb`, allowed)
    expect(
      ['app.example', 'a.apps.example', 'a.b.apps.example', 'port.example:8443'].map(of),
    ).toEqual(['none', 'none', 'none', 'none'])
    expect(
      ['sub.app.example', 'apps.example', 'evilapps.example', 'port.example', 'app.example.'].map(
        of,
      ),
    ).toEqual(Array.from({ length: 5 }, () => 'redirect_not_listed'))
  })
})

describe('RFC 8252 §7: this machine, or a scheme of the application', () => {
  test.each(['http://127.0.0.1/cb', 'http://[::1]:5000/cb', 'http://localhost:3000'])(
    '%s is for native applications only',
    (uri) => {
      expect(said(uri)).toBe('redirect_loopback')
      expect(said(uri, ['app.example'], true)).toBe('none')
    },
  )

  test('a scheme of its own is of no host', () => {
    expect(said('com.example.app:/cb', ['app.example'], true)).toBe('none')
  })
})
