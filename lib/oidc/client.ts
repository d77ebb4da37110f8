/** What the protocol knows of an application and of the credentials that speak for it. */

export type AuthMethod = 'client_secret_post' | 'client_secret_basic' | 'none'

export type Application = {
  id: string
  kind: 'web' | 'spa' | 'native' | 'machine'
  enabled: boolean
  authMethods: readonly AuthMethod[]
  grantTypes: readonly string[]
  origins: readonly string[]
  name: string
  spaceId: string | null
  redirectUris: readonly string[]
  postLogoutRedirectUris: readonly string[]
  requirePkce: boolean
  strictScopes: boolean
  requiredScopes: readonly string[]
  defaultScopes: readonly string[]
  accessTokenAlg: 'ES256' | 'RS256'
  idTokenAlg: 'ES256' | 'RS256'
}

export type AccessKey = {
  id: string
  enabled: boolean
  scopes: readonly string[] | null
  tokenSeconds: number | null
  expiresAt: number | null
}

export type Secret = { id: string; hash: string; expiresAt: number | null }

/** One client_id: an application, or an access key of one, with the secrets that open it. */
export type Credential = {
  clientId: string
  application: Application
  accessKey: AccessKey | null
  secrets: readonly Secret[]
}

/** A credential that has proved itself (or is public and needs no proof). */
export type Client = {
  id: string
  application: Application
  accessKey: AccessKey | null
  confidential: boolean
}
