import { isUtf8 } from 'node:buffer'
import { BodyTooLarge, type Incoming } from '../../base/http'
import { parsedJson } from '../../base/json-text'
import { OAuthError } from '../../oidc/errors'

const MAX_BYTES = 64 * 1024

/** The JSON object of the request, without members that are null (RFC 7592 §2.2). */
export async function readMetadata(incoming: Incoming): Promise<Record<string, unknown>> {
  const type = incoming.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') {
    throw new OAuthError('invalid_request', 'the body must be application/json', 'body_type')
  }
  const bytes = await bodyOf(incoming)
  const value = isUtf8(bytes) ? parsedJson(Buffer.from(bytes).toString('utf8')) : undefined
  return metadataIn(value)
}

export function metadataIn(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const description = 'the metadata must be a JSON object'
    throw new OAuthError('invalid_client_metadata', description, 'metadata_malformed')
  }
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

async function bodyOf(incoming: Incoming): Promise<Uint8Array> {
  try {
    return await incoming.body(MAX_BYTES)
  } catch (cause) {
    if (!(cause instanceof BodyTooLarge)) throw cause
    throw new OAuthError('request_too_large', 'the body is larger than 64 KiB', 'body_too_large', {
      cause,
    })
  }
}
