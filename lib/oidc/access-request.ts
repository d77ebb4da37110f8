import { z } from 'zod'
import type { Next, NextAction } from '../access/next-action'
import { seal, unseal } from '../crypto/seal'
import { sha256 } from '../crypto/secrets'

/**
 * A refusal that can be asked for carries a binding: what was refused, to whom, and by which policy.
 * It is sealed, so that a request can name nothing else (AuthZEN Access Request and Approval
 * Profile).
 */

/** The members are those of the draft; another draft may name them differently. */
const ARAP_VERSION = 'draft-01'
export const ACCESS_REQUEST_PATH = '/access/v1/request'
const REQUEST_FORM_PATH = '/account/access'
const BINDING_MS = 60 * 60 * 1000

const bindingSchema = z.object({
  userId: z.string(),
  /** The application that was refused, or that asked about the user. */
  applicationId: z.string().nullable(),
  scope: z.string(),
  audience: z.string(),
  resourceType: z.string().nullable(),
  resourceId: z.string().nullable(),
  contextDigest: z.string(),
  lacks: z.array(z.enum(['user', 'application'])),
  policyVersion: z.number(),
  decisionId: z.string(),
  /**
   * The application itself asked for the scope: for this token grant, or, if null, at the consent
   * page. Absent for a question about the user.
   */
  tokenGrantId: z.string().nullable().optional(),
  expiresAt: z.number(),
})
export type AccessRequestBinding = z.infer<typeof bindingSchema>

type Sealing = { accessRequestKey: Buffer; origin: string; now(): Date }

export function accessRequestOf(op: Sealing, refused: Omit<AccessRequestBinding, 'expiresAt'>) {
  const expiresAt = op.now().getTime() + BINDING_MS
  const binding: AccessRequestBinding = { ...refused, expiresAt }
  const token = seal(op.accessRequestKey, ARAP_VERSION, JSON.stringify(binding))
  return {
    expires_at: new Date(expiresAt).toISOString(),
    endpoint: `${op.origin}${ACCESS_REQUEST_PATH}`,
    form_url: `${op.origin}${REQUEST_FORM_PATH}?binding=${token}`,
    binding_token: token,
  }
}

export const accessRequestSchema = z.object({
  expires_at: z.string(),
  endpoint: z.string(),
  form_url: z.string(),
  binding_token: z.string(),
})
type AccessRequestMember = z.infer<typeof accessRequestSchema>

/** Null if it is forged or has expired. */
export function openBinding(op: Sealing, token: string): AccessRequestBinding | null {
  try {
    const text = unseal(op.accessRequestKey, ARAP_VERSION, token)
    const binding = bindingSchema.parse(JSON.parse(text))
    return binding.expiresAt > op.now().getTime() ? binding : null
  } catch {
    return null
  }
}

/** What the question was asked in; the same text for the same members in any order. */
export function contextDigest(value: unknown): string {
  return sha256(canonical(value))
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`
}

/** What a client is told besides the code of a refusal. */
type NextMembers = { next_action: NextAction; access_request?: AccessRequestMember }

export function nextMembers(
  op: Sealing,
  next: Next,
  refused: Omit<AccessRequestBinding, 'expiresAt' | 'lacks'>,
): NextMembers {
  if (next.action !== 'request') return { next_action: next.action }
  const access_request = accessRequestOf(op, { ...refused, lacks: [...next.lacks] })
  return { next_action: next.action, access_request }
}
