import type { Incoming } from '../../base/http'
import { type Client, DEVICE_CODE } from '../client'
import type { Form } from '../params'
import type { Provider } from '../provider'
import { authorizationCode } from './authorization_code'
import { clientCredentials } from './client_credentials'
import { deviceCode } from './device_code'
import { refreshToken } from './refresh_token'
import { tokenExchange } from './token-exchange'

export type TokenResponse = {
  access_token: string
  /** Of a token exchange (RFC 8693 §2.2.1). */
  issued_token_type?: string
  token_type: 'Bearer'
  expires_in: number
  scope: string
  scope_rejected?: string
  refresh_token?: string
  id_token?: string
}

export type Grant = (
  op: Provider,
  client: Client,
  form: Form,
  incoming: Incoming,
) => Promise<TokenResponse>

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
export type GrantType = keyof typeof table
/** `Object.keys` types the keys of a table as `string`. */
export const GRANT_TYPES = Object.keys(table) as readonly GrantType[]
