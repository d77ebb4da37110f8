import fc, { type Arbitrary } from 'fast-check'
import { createLocalJWKSet, jwtVerify } from 'jose'
import type { Op } from '../../../../lib/context/op'
import { signJwt } from '../../../../lib/crypto/jwt'
import { newKey, openKey } from '../../../../lib/crypto/keys'
import { verifyAccessToken } from '../../../../lib/oidc/verify'
import { must } from './must'

/** Tokens that somebody has tampered with. */

type Change = { part: number; at: number; to: string } | { header: object } | { whole: string }

const change: Arbitrary<Change> = fc.oneof(
  fc.record({ part: fc.nat(2), at: fc.nat(400), to: fc.constantFrom(...'AaZz09-_=+/. \n', '') }),
  fc
    .record(
      {
        alg: fc.constantFrom('none', 'HS256', 'ES384', 'RS256', 'ES256', 'PS256', ''),
        typ: fc.constantFrom('JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt', null),
        kid: fc.constantFrom('', 'x', null),
        crit: fc.constantFrom(['exp'], ['b64'], []),
        b64: fc.boolean(),
        jwk: fc.constant({ kty: 'oct', k: 'AAAA' }),
      },
      { requiredKeys: [] },
    )
    .map((header) => ({ header })),
  fc.constantFrom('..', '.', '', 'a.b', '{}.{}.{}').map((whole) => ({ whole })),
)

/** jose is asked with everything that we ask; whoever is stricter says why. */
export async function tokensAsJose(op: Op) {
  const es256 = await op.signingKey('ES256')
  const rs256 = await op.signingKey('RS256')
  const key = Buffer.alloc(32, 1)
  const foreign = await openKey(key, await newKey(key, 'ES256', new Date()))
  const claims = { iss: op.issuer, sub: 'x', exp: 9_999_999_999, jti: 'dec_x' }
  const signed = await Promise.all(
    [es256, rs256, foreign].map((by) => signJwt(by, 'at+jwt', claims)),
  )
  const keys = createLocalJWKSet({ keys: await op.publishedKeys() })
  const token = fc.tuple(fc.constantFrom(...signed), fc.array(change, { maxLength: 2 }))
  return fc.asyncProperty(token, async ([text, changes]) => {
    const sent = changes.reduce(changed, text)
    const ours = await verifyAccessToken(op, sent)
    const theirs = await jwtVerify(sent, keys, {
      issuer: op.issuer,
      typ: 'at+jwt',
      algorithms: ['ES256', 'RS256'],
    }).catch(() => null)
    if (ours) must(JSON.stringify(ours) === JSON.stringify(theirs?.payload), 'we believe more')
    else if (theirs) must(!signed.includes(sent), 'we do not believe what we signed')
    if (sent === signed[2]) must(!ours && !theirs, 'somebody else’s key is believed')
  })
}

function changed(token: string, how: Change): string {
  if ('whole' in how) return how.whole
  const parts = token.split('.')
  if ('header' in how) {
    return [encodedPart({ ...headerIn(parts[0] ?? ''), ...how.header }), ...parts.slice(1)].join(
      '.',
    )
  }
  const part = parts[how.part] ?? ''
  parts[how.part] = part.slice(0, how.at) + how.to + part.slice(how.at + 1)
  return parts.join('.')
}

/** Nothing where another change has broken it. */
function headerIn(part: string): object {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return {}
  }
}

function encodedPart(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
