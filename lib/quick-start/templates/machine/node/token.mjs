{{?byKey}}import { readFileSync } from 'node:fs'
{{?byKey}}import { importJWK } from 'jose'
import * as openid from 'openid-client'

{{>shared/openid-client.mjs}}
const tokens = await openid.clientCredentialsGrant(portal, { scope: "{{scope}}" })
console.log('Granted:', tokens.scope)
console.log('Not granted:', tokens.scope_rejected ?? 'nothing')
console.log(tokens.access_token)
