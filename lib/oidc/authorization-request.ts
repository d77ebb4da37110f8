import { z } from 'zod'
import { NO_CLAIMS, storedClaims } from './requested-claims'

/**
 * An authorization request below the trust line: the application and the redirect URI are known, so
 * every error from here on goes to the application. A request is stored in this form while its user
 * signs in and consents.
 */

export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const

export type Prompt = (typeof PROMPTS)[number]

export const authorizationRequestSchema = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  responseMode: z.enum(['query', 'form_post']),
  state: z.string().nullable(),
  scopes: z.array(z.string()),
  resources: z.array(z.string()),
  nonce: z.string().nullable(),
  challenge: z.string().nullable(),
  prompt: z.array(z.enum(PROMPTS)),
  maxAge: z.number().nullable(),
  loginHint: z.string().nullable(),
  /** The `sub` of a valid id_token_hint. */
  hintedUserId: z.string().nullable(),
  uiLocales: z.string().nullable(),
  /** Claims asked for by name, beyond what scopes give (OpenID Connect Core §5.5). */
  claims: storedClaims.default(NO_CLAIMS),
  /** The same for processes of an earlier version. */
  userinfoClaims: z.array(z.string()),
  /** Preferred `acr` values, in order. A user who cannot meet them is not asked to. */
  acrValues: z.array(z.string()).default([]),
  /** `acr` values requested as essential: only these are accepted. */
  essentialAcr: z.array(z.string()).nullable(),
  /** Of a device that waits elsewhere (RFC 8628); it is told no answer at a redirect URI. */
  device: z.object({ id: z.string(), confirmedAt: z.number().nullable() }).nullable().default(null),
  askedAt: z.number(),
})

export type AuthorizationRequest = z.infer<typeof authorizationRequestSchema>
