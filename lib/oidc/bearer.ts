import { type Incoming, queryOf } from '../base/http'
import { OAuthError } from './errors'
import { parseForm, readFormText } from './params'
import type { ReasonOf } from './refusal-reasons'

/**
 * RFC 6750 §2: a token may come in the header or in a form, not in both, and never in the URL. Null
 * if there is none.
 */
export async function readBearer(incoming: Incoming): Promise<string | null> {
  const query = queryOf(incoming.url)
  if (query !== '' && new URLSearchParams(query).has('access_token')) {
    throw badRequest('an access token must not be sent in the URL', 'access_token_in_url')
  }
  const header = incoming.headers.get('authorization')
  const inHeader = header === null ? null : readHeader(header)
  const inForm = await readFromForm(incoming)
  if (inHeader !== null && inForm !== null) {
    throw badRequest('send the access token only once', 'access_token_repeated')
  }
  return inHeader ?? inForm
}

function readHeader(header: string): string {
  if (header.includes(',')) {
    throw badRequest('send only one Authorization header', 'access_token_repeated')
  }
  const token = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1]
  if (token !== undefined) return token
  throw new OAuthError('invalid_token', 'the access token is not valid', 'access_token_malformed')
}

function badRequest(description: string, reason: ReasonOf<'invalid_request'>): OAuthError {
  return new OAuthError('invalid_request', description, reason, { bearer: true })
}

async function readFromForm(incoming: Incoming): Promise<string | null> {
  const type = incoming.headers.get('content-type') ?? ''
  if (incoming.method !== 'POST' || !type.startsWith('application/x-www-form-urlencoded'))
    return null
  return parseForm(await readFormText(incoming)).get('access_token') ?? null
}
