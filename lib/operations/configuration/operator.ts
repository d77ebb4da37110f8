import { OPERATOR } from '../../api/caller'
import { answerApi } from '../../api/endpoint'
import { API_BASE, type ApiMethod } from '../../api/route'
import type { Incoming } from '../../base/http'
import type { Op } from '../../context/op'
import { newId } from '../../crypto/secrets'
import { ConfigurationError } from './schema'

/** The API's own table, asked in process by whoever runs a command at the machine. */

export type Thing = Record<string, unknown>
export type Answer = { body: Thing; version: string | null }

export type Operator = {
  /** Null where there is no such thing. */
  find(path: string): Promise<Answer | null>
  list(path: string): Promise<Thing[]>
  /** `what`: what to call it when it is refused. */
  send(
    what: string,
    method: ApiMethod,
    path: string,
    body?: unknown,
    version?: string,
  ): Promise<Answer>
}

export function operator(op: Op): Operator {
  async function ask(method: ApiMethod, path: string, body?: unknown, version?: string) {
    const reply = await answerApi(op, incoming(method, path, body, version), async () => OPERATOR)
    const told = reply.body === '' ? {} : JSON.parse(reply.body)
    return { status: reply.status, body: told as Thing, version: reply.headers.ETag ?? null }
  }

  async function read(path: string) {
    const answer = await ask('GET', path)
    if (answer.status === 200 || answer.status === 404) return answer
    throw refusal(path, answer.body)
  }

  return {
    async find(path) {
      const answer = await read(path)
      return answer.status === 404 ? null : answer
    },
    async list(path) {
      const all: Thing[] = []
      for (let cursor = ''; ; ) {
        const { body } = await read(`${path}?limit=200${cursor}`)
        all.push(...(body.data as Thing[]))
        const { next } = body.page as { next: string | null }
        if (next === null) return all
        cursor = `&cursor=${encodeURIComponent(next)}`
      }
    },
    async send(what, method, path, body, version) {
      const answer = await ask(method, path, body, version)
      if (answer.status < 400) return answer
      throw refusal(what, answer.body)
    },
  }
}

function refusal(what: string, problem: Thing): ConfigurationError {
  const errors = problem.errors as { pointer: string; detail: string }[] | undefined
  const details = errors?.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('; ')
  return new ConfigurationError(`${what}: ${details ?? problem.detail}`)
}

function incoming(method: ApiMethod, path: string, body: unknown, version = '*'): Incoming {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'if-match': version,
  }
  return {
    method,
    url: `${API_BASE}${path}`,
    headers: { get: (name) => headers[name] ?? null },
    ip: null,
    requestId: newId('dec'),
    body: async () => new TextEncoder().encode(JSON.stringify(body ?? {})),
  }
}
