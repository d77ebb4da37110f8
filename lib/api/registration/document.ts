import { AddressRefused, isPlainlyRefused } from '../../base/address-guard'
import { AnswerTooLong, type GuardedResponse, guardedRequest } from '../../base/guarded-request'
import { parsedJson } from '../../base/json-text'
import { quickLookup } from '../../base/quick-lookup'
import { SECOND_MS } from '../../base/time'
import type { Op } from '../../context/op'
import { slowDown } from '../../oidc/client-auth'
import { type ErrorOptions, isOAuthError, OAuthError } from '../../oidc/errors'
import { shown } from '../../oidc/refusal'
import type { ReasonOf } from '../../oidc/refusal-reasons'
import { acceptsDocument, type ClientRegistration } from '../../settings/client-registration'
import { outboundHostsFor } from '../../settings/outbound-hosts'
import { type ClientMetadata, parseMetadata } from './metadata'
import { metadataIn } from './read'

/**
 * A client ID metadata document (draft-ietf-oauth-client-id-metadata-document): the client ID is an
 * https address, and the document there describes the client. Anybody can name any address, so it is
 * fetched through the address guard, without redirects, and read with limits.
 */

const MAX_BYTES = 16 * 1024
const MIN_MS = 60 * SECOND_MS
const USUAL_MS = 3_600 * SECOND_MS
export const MAX_MS = 24 * USUAL_MS

/** Whether the client ID claims to be an address; `requireAddress` says whether it may be one. */
export function isAddress(clientId: string): boolean {
  return clientId.startsWith('https://')
}

/**
 * §3 of the draft: a path, no fragment, no credentials, and only one way to write it. A host with a
 * dot at its end is the same host, but not for a list of hosts.
 */
export function requireAddress(op: Op, policy: ClientRegistration, clientId: string): URL {
  if (!policy.documents) {
    throw refused('client ID metadata documents are not accepted here', 'documents_off')
  }
  const url = URL.canParse(clientId) ? new URL(clientId) : null
  const isWhole = url !== null && url.href === clientId && url.pathname !== '/' && url.hash === ''
  if (!isWhole || url.username + url.password !== '' || url.hostname.endsWith('.')) {
    const description = 'the client_id is not an address that a metadata document can have'
    throw refused(description, 'document_address')
  }
  if (!acceptsDocument(policy, url) || isPlainlyRefused(url, callable(op))) {
    throw refused('applications of this host are not accepted here', 'document_host')
  }
  return url
}

function callable({ config }: Op): ReadonlySet<string> {
  return outboundHostsFor(config, 'metadata_document')
}

export function refused(
  description: string,
  reason: ReasonOf<'invalid_request'>,
  { cause, facts }: Pick<ErrorOptions, 'cause' | 'facts'> = {},
): OAuthError {
  return new OAuthError('invalid_request', description, reason, { cause, facts })
}

export type FetchedDocument = { sent: ClientMetadata; freshMs: number }

export async function fetchDocument(
  op: Op,
  policy: ClientRegistration,
  clientId: string,
): Promise<FetchedDocument> {
  const answered = await answerOnce(op, clientId)
  requireDocument(answered)
  const raw = metadataIn(parsedJson(answered.body))
  requireOwn(raw, clientId)
  const sent = parseMetadata({ token_endpoint_auth_method: 'none', ...offered(raw, policy) })
  return { sent, freshMs: freshFor(String(answered.headers['cache-control'] ?? '')) }
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json$/i

function requireDocument({ status, headers }: GuardedResponse): void {
  if (status === 429 || status >= 500) throw away({ facts: { status } })
  const description = 'the address in client_id does not answer with a metadata document'
  if (status !== 200) throw refused(description, 'document_status', { facts: { status } })
  const type = String(headers['content-type'] ?? '')
  if (JSON_TYPE.test(type.split(';', 1)[0]?.trim() ?? '')) return
  throw refused(description, 'document_type', { facts: { type: shown(type) } })
}

const MAX_AT_ONCE = 8
const BUSY_SECONDS = 5
const underWay = new Map<string, Promise<GuardedResponse>>()

/** Unknown clients choose what is fetched: few at a time in one process, and each address once. */
function answerOnce(op: Op, clientId: string): Promise<GuardedResponse> {
  const same = underWay.get(clientId)
  if (same) return same
  if (underWay.size >= MAX_AT_ONCE) throw slowDown(BUSY_SECONDS)
  const answer = answerOf(op, clientId).finally(() => underWay.delete(clientId))
  underWay.set(clientId, answer)
  return answer
}

async function answerOf(op: Op, clientId: string): Promise<GuardedResponse> {
  const headers = { Accept: 'application/json' }
  const find = (host: string) => quickLookup(host)
  const request = { method: 'GET', headers, longest: MAX_BYTES, find } as const
  try {
    return await guardedRequest(clientId, request, callable(op))
  } catch (cause) {
    throw unread(cause)
  }
}

/** What TLS says of a certificate that it does not trust: codes of Node.js and of OpenSSL. */
const OF_CERTIFICATE = /CERT|LEAF_SIGNATURE|INVALID_CA|HOSTNAME_MISMATCH/

/** The cause is for the log and for admins: the client could scan a network with it. */
function unread(cause: unknown): OAuthError {
  if (cause instanceof AddressRefused) return refused(UNREADABLE, 'document_unreadable', { cause })
  if (cause instanceof AnswerTooLong) {
    return refused(UNREADABLE, 'document_size', { cause, facts: { longest: MAX_BYTES } })
  }
  const { code, name } = cause as NodeJS.ErrnoException
  const facts = { problem: shown(code ?? name) }
  const isUntrusted = OF_CERTIFICATE.test(String(code))
  return away({ cause, facts }, isUntrusted ? 'document_certificate' : 'document_away')
}

const UNREADABLE = 'the metadata document of the application cannot be read'

/** Its host does not answer, or not now: that says nothing about the document. */
class Away extends Error {}

function away(
  { cause, facts }: Pick<ErrorOptions, 'cause' | 'facts'>,
  reason: ReasonOf<'invalid_request'> = 'document_away',
): OAuthError {
  return refused(UNREADABLE, reason, { cause: new Away(UNREADABLE, { cause }), facts })
}

/** Also if the portal itself is too busy to ask. */
export function isAway(error: unknown): boolean {
  if (isOAuthError(error) && error.word === 'slow_down') return true
  return error instanceof Error && error.cause instanceof Away
}

/** §4.1 of the draft: the document names its own address, and nothing in it is a shared secret. */
function requireOwn(raw: Record<string, unknown>, clientId: string): void {
  const method = String(raw.token_endpoint_auth_method ?? 'none')
  const isOwn = raw.client_id === clientId
  const isPublic = !('client_secret' in raw) && !('client_secret_expires_at' in raw)
  if (isOwn && isPublic && ['none', 'private_key_jwt'].includes(method)) return
  const description = 'the metadata document is not one that names this client_id without a secret'
  throw refused(description, 'document_mismatch')
}

/** One document serves every provider: what is not offered here is left out, not refused. */
function offered(raw: Record<string, unknown>, policy: ClientRegistration) {
  const asked = Array.isArray(raw.grant_types) ? raw.grant_types : ['authorization_code']
  return { ...raw, grant_types: policy.grantTypes.filter((grant) => asked.includes(grant)) }
}

/** By its headers (RFC 9111 §5.2.2), within limits: nobody makes the portal fetch all the time. */
function freshFor(cacheControl: string): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return MIN_MS
  const [, seconds] = /\bmax-age="?(\d{1,9})/i.exec(cacheControl) ?? []
  if (seconds === undefined) return USUAL_MS
  return Math.min(Math.max(Number(seconds) * SECOND_MS, MIN_MS), MAX_MS)
}
