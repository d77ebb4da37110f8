/** As much of it as the oracle uses. */
declare module 'oidc-provider' {
  import type { RequestListener } from 'node:http'

  type Account = { accountId: string; claims(): Record<string, unknown> }

  export class Provider {
    constructor(
      issuer: string,
      configuration: Record<string, unknown> & {
        findAccount(context: unknown, sub: string): Account
      },
    )
    callback(): RequestListener
  }
}
