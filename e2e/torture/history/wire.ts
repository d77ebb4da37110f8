import { type Answer, ask, basic, type Fields, FORM } from '../../support/ask'
import type { Pair } from '../arena'

/** Calls to one of the two processes; whoever dies in the middle of one leaves no answer. */

export type Wire = {
  /** Null: lost. */
  send(port: number, request: Parameters<typeof ask>[1]): Promise<Answer | null>
  form(port: number, path: string, fields: Fields, client: Client): Promise<Answer | null>
  api(port: number, bearer: string, request: ApiRequest): Promise<Answer | null>
  /** Answers that no caller should ever get. */
  faults: string[]
}

type Client = { id: string; secret: string }
type ApiRequest = { method: string; path: string; body?: unknown }

/** Not now, and nothing has happened that anybody could rely on. */
const NOT_NOW = new Set([429, 503])

export function wireTo({ front }: Pick<Pair, 'front'>): Wire {
  const { host } = new URL(front.origin)
  const faults: string[] = []

  async function send(port: number, { headers, ...request }: Parameters<typeof ask>[1]) {
    const sent = { ...request, headers: { ...headers, host } }
    const answer = await ask(`http://127.0.0.1:${port}`, sent).catch(() => null)
    if (answer === null || NOT_NOW.has(answer.status)) return null
    if (answer.status < 500) return answer
    faults.push(`${request.method ?? 'GET'} ${request.path?.split('?')[0]}: ${answer.status}`)
    return null
  }

  return {
    faults,
    send,
    form: (port, path, fields, { id, secret }) =>
      send(port, {
        method: 'POST',
        path,
        headers: { ...FORM, ...basic(id, secret) },
        body: `${new URLSearchParams(fields)}`,
      }),
    api: (port, bearer, { method, path, body }) =>
      send(port, {
        method,
        path: `/api/v1${path}`,
        headers: {
          authorization: `Bearer ${bearer}`,
          'if-match': '*',
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  }
}
