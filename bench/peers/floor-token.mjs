// What the floor and a bare route of Next.js both do: an ES256 JWT signed for whatever a form asks.
import { SignJWT } from 'jose'

export const ISSUER = 'https://id.bench.example'

export async function tokenFor(form, privateKey) {
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
