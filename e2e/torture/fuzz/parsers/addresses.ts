import fc from 'fast-check'
import type { Application, Credential } from '../../../../lib/oidc/client'
import { redirectFault } from '../../../../lib/oidc/redirect-uri'
import { isRegistered } from '../../../../lib/oidc/target'
import { nastyText } from '../nasty'
import { must } from './must'

/** Where codes may be sent. */

const REGISTERED = [
  'https://app.example/callback',
  'https://app.example/callback?a=b',
  'http://127.0.0.1/callback',
  'http://[::1]:8080/callback',
  'http://localhost/callback',
  'com.example.app:/callback',
]

const address = fc
  .tuple(
    fc.constantFrom(...REGISTERED),
    fc.nat(60),
    fc.oneof(
      nastyText,
      fc.constantFrom(
        ':8080',
        ':0',
        ':99999',
        ':65536',
        '@evil.example',
        '/',
        '.',
        '%2f',
        '\\',
        '#',
        '?',
      ),
    ),
    fc.nat(3),
  )
  .map(([uri, at, piece, cut]) => uri.slice(0, at) + piece + uri.slice(at + cut))

function application(kind: Application['kind']): Credential {
  const authMethods = kind === 'native' ? (['none'] as const) : (['client_secret_basic'] as const)
  const partly = { kind, authMethods, redirectUris: REGISTERED }
  return { application: partly as unknown as Application } as Credential
}

/** RFC 9700 §4.1.3, and RFC 8252 §7.3 for the port of a native app's loopback. */
export function redirectsAreExact() {
  const kind = fc.constantFrom('web' as const, 'native' as const)
  const uri = fc.oneof(address, fc.constantFrom(...REGISTERED))
  return fc.asyncProperty(uri, kind, async (asked, of) => {
    const accepted = isRegistered(application(of), asked)
    if (REGISTERED.includes(asked)) return must(accepted, 'its own address was refused')
    if (!accepted) return
    const { hostname, port } = new URL(asked)
    const own = asked.replace(`:${port}/`, '/')
    must(of === 'native' && ['127.0.0.1', '[::1]'].includes(hostname), 'not a loopback')
    must(REGISTERED.includes(own), 'more than the port is another')
  })
}

export function registrableAreSafe() {
  const kind = fc.constantFrom('web' as const, 'spa' as const, 'native' as const)
  return fc.asyncProperty(fc.oneof(address, nastyText, fc.webUrl()), kind, async (uri, of) => {
    if (redirectFault(uri, of) !== null) return
    must(URL.canParse(uri), 'no address')
    const { protocol, hostname, hash, username, password } = new URL(uri)
    must(hash === '' && username === '' && password === '', 'a fragment, or somebody’s password')
    const here = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
    const isPrivate = of === 'native' && protocol.includes('.')
    must(protocol === 'https:' || (protocol === 'http:' && here) || isPrivate, 'not safe')
  })
}
