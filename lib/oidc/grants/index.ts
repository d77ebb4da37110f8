import type { Incoming } from '../../base/http'
import type { Client } from '../client'
import type { Form } from '../params'
import type { Provider } from '../provider'
import { authorizationCode } from './authorization_code'
import { clientCredentials } from './client_credentials'
import { refreshToken } from './refresh_token'

export type TokenResponse = {
  access_token: string
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

/** The table: wire value -> grant. Discovery's `grant_types_supported` are its keys. */
export const grants: Record<string, Grant> = {
  authorization_code: authorizationCode,
  client_credentials: clientCredentials,
  refresh_token: refreshToken,
}
