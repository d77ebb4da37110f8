import fc from 'fast-check'
import type { Op } from '../../../../lib/context/op'
import { authorizationRequestSchema } from '../../../../lib/oidc/authorization-request'
import { type Form, formOf } from '../../../../lib/oidc/params'
import { parseAuthorizationRequest } from '../../../../lib/oidc/parse-authorization-request'
import { applicationIdsAfter } from '../../../../lib/store/applications/applications'
import { nastyText } from '../nasty'
import { must, orRefused } from './must'

/** OpenID Connect Core §5.5 */

export async function claimsAreRead(op: Op) {
  const ids = await op.read((db) => applicationIdsAfter(db, '', 100))
  const { credentials } = await op.snapshot({ clients: ids })
  const credential = ids
    .map((id) => credentials.get(id))
    .find((one) => one?.application.kind === 'web')
  if (!credential) throw new Error('no application to ask for')
  const target = {
    credential,
    redirectUri: credential.application.redirectUris[0] ?? '',
    responseMode: 'query' as const,
    state: null,
  }
  const text = fc.oneof(
    nastyText,
    fc.json({ stringUnit: 'binary' }),
    fc
      .dictionary(fc.constantFrom('userinfo', 'id_token', '__proto__'), fc.jsonValue(), {
        maxKeys: 2,
      })
      .map((claims) => JSON.stringify(claims)),
    fc.jsonValue().map((acr) => JSON.stringify({ id_token: { acr }, userinfo: { acr } })),
  )
  const proof = { code_challenge: 'a'.repeat(43), code_challenge_method: 'S256' }
  return fc.asyncProperty(text, async (claims) => {
    const form = fieldsOf({
      response_type: 'code',
      scope: 'openid',
      ...proof,
      claims,
    })
    const ask = await orRefused(() => parseAuthorizationRequest(op, target, form))
    if (!ask) return
    // It waits in the database meanwhile.
    const stored = authorizationRequestSchema.parse(JSON.parse(JSON.stringify(ask)))
    must(JSON.stringify(stored) === JSON.stringify(ask), 'it is another when it comes back')
  })
}

function fieldsOf(fields: Record<string, string>): Form {
  return formOf(new Map(Object.entries(fields).map(([name, value]) => [name, [value]])))
}
