import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, jwtVerify, SignJWT } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { remoteKeys } from './remote-keys'

/** The keys of a client, at an address of its own. */

let server: Server
let published: JWK[] = []
let fetches = 0

beforeEach(async () => {
  fetches = 0
  published = []
  server = createServer((_request, response) => {
    fetches += 1
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ keys: published }))
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
})

afterEach(() => server.close())

const host = () => `localhost:${(server.address() as AddressInfo).port}`

async function signer(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  published = [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256' }]
  return () => new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
}

test('a client that changes its key is believed at once, and with the key before no more', async () => {
  const keys = remoteKeys(new Set([host()]))(`http://${host()}/jwks`)
  const first = await signer('one')
  await jwtVerify(await first(), keys)
  const second = await signer('two')
  await jwtVerify(await second(), keys)
  await expect(jwtVerify(await first(), keys)).rejects.toThrow('no applicable key')
})

test('keys that do not exist are looked for a few times, not each time', async () => {
  const keys = remoteKeys(new Set([host()]))(`http://${host()}/jwks`)
  const first = await signer('one')
  await jwtVerify(await first(), keys)
  const unknown = await signer('two')
  const token = await unknown()
  published = []
  for (let at = 0; at < 20; at += 1) await expect(jwtVerify(token, keys)).rejects.toThrow()
  expect(fetches).toBe(6)
})
