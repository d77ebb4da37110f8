import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Op } from '../../context/op'
import { isOAuthError } from '../../oidc/errors'
import { DEFAULT_CLIENT_REGISTRATION } from '../../settings/client-registration'
import { fetchDocument, isAway } from './document'

/** Why a metadata document cannot be read, for those who run the portal. */

/** Nobody trusts it. */
const cert = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUMStQ9CMOIx4ILRz31DJCCeqZLR8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJdW50cnVzdGVkMCAXDTI2MTExOTIwNTA1NloYDzIxMjYxMDI2
MjA1MDU2WjAUMRIwEAYDVQQDDAl1bnRydXN0ZWQwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATQCPaBttqqntdHco+mnYxLmciEnztd1zQW5h5E/xxIyXCASk8o0MEp
h/pIC8P4NDL2TM8vi4RkDti+ZORv5ZAro2kwZzAdBgNVHQ4EFgQUw+4HepU+4Al0
abwMOAJUNDGgZGIwHwYDVR0jBBgwFoAUw+4HepU+4Al0abwMOAJUNDGgZGIwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAI6iiThnk25dfbDdsHVyaWbzOuvHqZRo/vu1d/sLGNCjAiEApOp1JZj3
auZgfODF59RNvP5YDj1ws+zyBr8Y+JoZZjQ=
-----END CERTIFICATE-----
`
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtc0y6ZHgUNYkXKcD
qU9WcyE3HbUk/oGCUtwpgfcKHgmhRANCAATQCPaBttqqntdHco+mnYxLmciEnztd
1zQW5h5E/xxIyXCASk8o0MEph/pIC8P4NDL2TM8vi4RkDti+ZORv5ZAr
-----END PRIVATE KEY-----
`

describe('R42: a metadata document that cannot be read', () => {
  const server = createServer({ cert, key }, (_request, response) => void response.end('{}'))
  let host = ''

  beforeAll(async () => {
    server.listen(0, 'localhost')
    await once(server, 'listening')
    // A server that listens on a port has this form of address.
    host = `localhost:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => void server.close())

  async function refusalOf(url: string, allowed: string[]) {
    const config = { registrationOutboundHosts: new Set(allowed) }
    // It asks for nothing else of the portal.
    const op = { config } as unknown as Op
    try {
      await fetchDocument(op, DEFAULT_CLIENT_REGISTRATION, url)
    } catch (error) {
      if (!isOAuthError(error)) throw error
      return { ...error.refusal, message: error.message, isAway: isAway(error) }
    }
    throw new Error('it was read')
  }

  const message = 'the metadata document of the application cannot be read'

  test('the certificate is not trusted: which problem it is, and a known client goes on', async () => {
    expect(await refusalOf(`https://${host}/client`, [host])).toEqual({
      reason: 'document_certificate',
      facts: { problem: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      message,
      isAway: true,
    })
  })

  test('nobody listens there', async () => {
    expect(await refusalOf('https://localhost:1/client', ['localhost:1'])).toEqual({
      reason: 'document_away',
      facts: { problem: 'ECONNREFUSED' },
      message,
      isAway: true,
    })
  })

  test('the address is that of a private network: it is not called', async () => {
    expect(await refusalOf('https://127.0.0.1:1/client', [])).toMatchObject({
      reason: 'document_unreadable',
      message,
      isAway: false,
    })
  })
})
