import { DEVICE_CODE } from '../client'
import { authorizationCode } from './authorization_code'
import { clientCredentials } from './client_credentials'
import { deviceCode } from './device_code'
import { refreshToken } from './refresh_token'
import { tokenExchange } from './token-exchange'
import type { Grant } from './token-response'

/**
 * Handlers by the wire value of the grant type. Discovery's `grant_types_supported` are the keys.
 */
const table = {
  authorization_code: authorizationCode,
  client_credentials: clientCredentials,
  refresh_token: refreshToken,
  [DEVICE_CODE]: deviceCode,
  'urn:ietf:params:oauth:grant-type:token-exchange': tokenExchange,
} satisfies Record<string, Grant>

export const grants: Record<string, Grant> = table
type GrantType = keyof typeof table
/** `Object.keys` types the keys of a table as `string`. */
export const GRANT_TYPES = Object.keys(table) as readonly GrantType[]
