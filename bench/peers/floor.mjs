// The floor: node:http and jose, a form read, an ES256 JWT signed, JSON answered. Nothing is checked,
// decided, counted, logged or stored. Other kinds of work have floors of their own: an introspection
// verifies a signature, a check only reads and writes JSON.
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose'

const ISSUER = 'https://id.bench.example'
const { privateKey, publicKey } = await generateKeyPair('ES256')
const { kty, crv, x, y } = await exportJWK(publicKey)
const JWKS = JSON.stringify({ keys: [{ kty, crv, x, y, kid: 'floor', alg: 'ES256', use: 'sig' }] })

const works = {
  '/jwks': () => JWKS,
  '/token': async (body) => JSON.stringify(await tokenFor(new URLSearchParams(body))),
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

async function tokenFor(form) {
  const scope = form.get('scope')
  const token = await new SignJWT({ client_id: form.get('client_id'), scope })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'floor' })
    .setIssuer(ISSUER)
    .setSubject(form.get('client_id') ?? '')
    .setAudience('https://api.bench.example')
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)
  return { access_token: token, token_type: 'Bearer', expires_in: 3600, scope }
}

// Connections rest while the others have their turn.
server.keepAliveTimeout = 600_000
server.listen(Number(process.env.PORT), '127.0.0.1')
