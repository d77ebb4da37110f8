import type { Incoming } from '../../base/http'
import type { Client } from '../client'
import type { Form } from '../params'
import type { Provider } from '../provider'

/** What every grant type is, and what it answers (RFC 6749 §5.1). */

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
