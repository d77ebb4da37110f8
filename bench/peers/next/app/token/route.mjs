// A bare route of Next.js that does what the floor does: a form read, an ES256 JWT signed, JSON
// answered.
import { generateKeyPair, SignJWT } from 'jose'

const { privateKey } = await generateKeyPair('ES256')

export async function GET() {
  return Response.json({ ready: true })
}

export async function POST(request) {
  const form = new URLSearchParams(await request.text())
  const scope = form.get('scope')
  const token = await new SignJWT({ client_id: form.get('client_id'), scope })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'next' })
    .setIssuer('https://id.bench.example')
    .setSubject(form.get('client_id') ?? '')
    .setAudience('https://api.bench.example')
    .setJti(crypto.randomUUID())
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey)
  return Response.json({ access_token: token, token_type: 'Bearer', expires_in: 3600, scope })
}
