import { shellQuoted } from '../api/reference/samples'
import type { Incoming } from '../base/http'
import type { Op } from '../context/op'
import { newRequestId } from '../crypto/secrets'
import { answer } from '../oidc/endpoint'
import { tokenEndpoint } from '../oidc/endpoints'
import { paths } from '../oidc/paths'

/** One request for a token, as a command line and as the portal answers it. */

type TokenAsk = { clientId: string; secret: string; scope: string }

type TokenAnswer = { command: string; status: number; body: string }

export async function requestToken(op: Op, ask: TokenAsk, ip: string | null): Promise<TokenAnswer> {
  const { clientId, secret, scope } = ask
  const requestId = newRequestId()
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope })
  const credentials = Buffer.from(`${clientId}:${secret}`).toString('base64')
  const headers = new Map([
    ['content-type', 'application/x-www-form-urlencoded'],
    ['authorization', `Basic ${credentials}`],
  ])
  const incoming: Incoming = {
    method: 'POST',
    url: paths.token,
    headers: { get: (name) => headers.get(name) ?? null },
    ip,
    requestId,
    body: async () => Buffer.from(form.toString()),
  }
  const report = (error: unknown) => op.report(error, requestId)
  const { status, body } = await answer(op, tokenEndpoint, incoming, report)
  return { command: commandFor(op, ask), status, body: indented(body) }
}

function commandFor({ origin }: Op, { clientId, secret, scope }: TokenAsk): string {
  return [
    `curl -s ${origin}${paths.token}`,
    `-u ${clientId}:${secret}`,
    '-d grant_type=client_credentials',
    `-d ${shellQuoted(`scope=${scope}`)}`,
  ].join(' \\\n  ')
}

function indented(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2)
}
