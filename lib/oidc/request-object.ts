import { jsonObject } from '../base/json-text'
import { type Form, hasNul } from './params'

/**
 * Request objects are not offered (OpenID Connect Core §6, RFC 9101). But a client that sends one may
 * have written only there how it wants to be answered, and waits for the refusal in that way.
 *
 * The signature is not verified, because nothing rests on it: where the answer goes is decided by the
 * parameters outside, and whoever can forge an object can write the same `state` and `response_mode`
 * beside it. An object of another client, or for another redirect URI, is not looked at.
 */

type Answering = { state: string | undefined; responseMode: string | undefined }

type Where = { clientId: string; redirectUri: string }

/** What the object says supersedes what stands outside (OpenID Connect Core §6.1). */
export function answeringOf(form: Form, where: Where): Answering {
  const object = claimsIn(form.get('request')) ?? {}
  const inside = isFor(object, where) ? object : {}
  return {
    state: shortText(inside.state) ?? form.get('state'),
    responseMode: shortText(inside.response_mode) ?? form.get('response_mode'),
  }
}

/** A JWS has three parts (RFC 7515 §3.1); an encrypted object has five, and cannot be read. */
function claimsIn(request: string | undefined): Record<string, unknown> | null {
  const [, payload, , ...more] = request?.split('.', 4) ?? []
  if (payload === undefined || more.length > 0) return null
  return jsonObject(Buffer.from(payload, 'base64url').toString())
}

function isFor(object: Record<string, unknown>, { clientId, redirectUri }: Where): boolean {
  const { client_id = clientId, iss = clientId, redirect_uri = redirectUri } = object
  return client_id === clientId && iss === clientId && redirect_uri === redirectUri
}

const MAX_LENGTH = 4 * 1024

function shortText(value: unknown): string | undefined {
  const isUsable = typeof value === 'string' && value.length <= MAX_LENGTH && !hasNul(value)
  return isUsable ? value : undefined
}
