import { startSession } from '../../lib/accounts/new-session'
import { applyConfiguration } from '../../lib/api/configuration/apply'
import { parseConfiguration } from '../../lib/api/configuration/schema'
import { type Caller, userCaller } from '../../lib/api/http/caller'
import type { AnyOperation } from '../../lib/api/http/operation'
import { perform } from '../../lib/api/http/perform'
import { createOp, type OpenOp } from '../../lib/op'
import type { Kind } from './databases'
import { freshConfig } from './fresh-config'
import { problemIn } from './problem-in'
import { incoming } from './protocol'

/** A portal of which only the operations of the API are asked: no HTTP, no sign-in. */

type Asked = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  ifMatch?: string | null
}

// biome-ignore lint/suspicious/noExplicitAny: what the schema has accepted, a test may look into
type Answer = { status: number; body: any; version?: number | undefined; text: string }

export type Operations = {
  op: OpenOp
  /** An owner of the portal who is nobody in particular. */
  owner: Caller
  apply(document: object): Promise<string[]>
  idOf(username: string): Promise<string>
  /** Somebody who was made by `apply`, with the admin role that they have now. */
  as(username: string): Promise<Caller>
  /** The same in person at the pages of the portal, with a second factor that was used just now. */
  atThePages(username: string): Promise<Caller>
  ask(caller: Caller, operation: { id: string }, asked?: Asked): Promise<Answer>
  /** What it is refused with, as `problemIn` says it. */
  refused(caller: Caller, operation: { id: string }, asked?: Asked): Promise<string>
  close(): Promise<void>
}

export async function openOperations(
  kind: Kind,
  document: object = {},
  clock: () => Date = () => new Date(),
): Promise<Operations> {
  const op = await createOp(await freshConfig(kind), clock)
  const apply = (more: object) => {
    const configuration = parseConfiguration(JSON.stringify({ version: 1, ...more }))
    return applyConfiguration(op, configuration, { env: {}, dryRun: false })
  }
  const idOf = async (username: string) => (await op.users.idOf(username)) ?? ''
  async function ask(caller: Caller, operation: { id: string }, asked: Asked = {}) {
    const usual = { params: {}, query: {}, body: undefined, ifMatch: '*', latest: true }
    const request = { ...usual, ...asked, caller, incoming: incoming() }
    const result = await perform(op, operation as AnyOperation, request)
    return { ...result, text: result.file?.text ?? '', body: result.body }
  }
  async function as(username: string): Promise<Caller> {
    const id = await idOf(username)
    return userCaller(id, await op.users.adminRoleOf(id))
  }
  await apply(document)
  return {
    op,
    owner: userCaller('usr_owner', 'owner'),
    apply,
    idOf,
    as,
    async atThePages(username) {
      const caller = await as(username)
      const login = { userId: caller.id, acr: 'mfa', amr: ['otp'], userAgent: '', ip: null }
      const { id } = await op.write((tx) => startSession(op, tx, login))
      return { ...caller, session: { id, through: 'pages' } }
    },
    ask,
    refused: (...call) => problemIn(() => ask(...call)),
    close: () => op.close(),
  }
}
