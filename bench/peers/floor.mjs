// The floor: node:http and jose, a form read, an ES256 JWT signed, JSON answered. Nothing is checked,
// decided, counted, logged or stored. Other kinds of work have floors of their own: an introspection
// verifies a signature, a check only reads and writes JSON.
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, jwtVerify } from 'jose'
import { ISSUER, tokenFor } from './floor-token.mjs'

const { privateKey, publicKey } = await generateKeyPair('ES256')
const { kty, crv, x, y } = await exportJWK(publicKey)
const JWKS = JSON.stringify({ keys: [{ kty, crv, x, y, kid: 'floor', alg: 'ES256', use: 'sig' }] })

const works = {
  '/jwks': () => JWKS,
  '/token': async (body) => JSON.stringify(await tokenFor(new URLSearchParams(body), privateKey)),
  '/introspection': async (body) => JSON.stringify(await claimsOf(new URLSearchParams(body))),
  '/check': (body) => JSON.stringify({ allowed: JSON.parse(body).held, decisionId: 'floor' }),
}

const server = createServer(async (request, response) => {
  const body = await works[request.url]?.(await bodyOf(request))
  response.writeHead(body === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
  response.end(body)
})

async function claimsOf(form) {
  const { payload } = await jwtVerify(form.get('token'), publicKey, { issuer: ISSUER })
  return { active: true, ...payload }
}

async function bodyOf(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

// Connections rest while the others have their turn.
server.keepAliveTimeout = 600_000
server.listen(Number(process.env.PORT), '127.0.0.1')
