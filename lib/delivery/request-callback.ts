import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { guardedRequest } from '../base/guarded-request'
import type { Op, Transaction } from '../context/op'
import { seal, unseal } from '../crypto/seal'
import { newId } from '../crypto/secrets'
import type { Application } from '../oidc/client'
import { outboundHostsFor } from '../settings/outbound-hosts'
import { enqueue } from '../store/delivery/outbox'
import { findAccessRequest } from '../store/requests/access-requests'
import { NoReceiver, RefusedForGood } from './refusals'
import { webhookHeaders } from './webhooks/sign'

/**
 * Tells the client that made an access request how it ended. Signed like webhooks, with a secret
 * that the client got with the request.
 */

const payloadSchema = z.object({ request: z.string() })
const GONE = 410

/** Derived, so that it need not be stored. */
export function callbackSecret({ accessRequestKey }: Pick<Op, 'accessRequestKey'>, id: string) {
  return `whsec_${createHmac('sha256', accessRequestKey).update(`callback ${id}`).digest('base64')}`
}

export async function enqueueCallback(
  op: Op,
  tx: Transaction,
  request: string,
  targetId: string | null,
): Promise<void> {
  const id = newId('out')
  const payloadEncrypted = seal(op.outboxKey, id, JSON.stringify({ request }))
  const about = 'access_request.ended'
  const message = {
    kind: 'callback',
    dedupeKey: `callback ${request}`,
    createdAt: op.now(),
  } as const
  await enqueue(tx, [{ id, about, targetId, payloadEncrypted, ...message }])
}

export async function deliverCallback(op: Op, id: string, sealed: string): Promise<void> {
  const { request } = payloadSchema.parse(JSON.parse(unseal(op.outboxKey, id, sealed)))
  const found = await op.read((db) => findAccessRequest(db, { id: request }))
  if (!found?.callback) throw new NoReceiver('the request was deleted')
  const body = JSON.stringify({ task: { id: found.id, status: found.status } })
  const timestamp = Math.floor(op.now().getTime() / 1000)
  const headers = webhookHeaders([callbackSecret(op, found.id)], { id, timestamp, body })
  const outgoing = { method: 'POST', headers, body } as const
  const hosts = outboundHostsFor(op.config, await registrationOf(op, found.madeBy))
  const { status } = await guardedRequest(found.callback, outgoing, hosts)
  if (status === GONE) throw new RefusedForGood(`answered ${status}`)
  if (status < 200 || status >= 300) throw new Error(`answered ${status}`)
}

/** Who made the application that wrote the address; one that is gone counts as one of anybody. */
async function registrationOf(op: Op, madeBy: string | null): Promise<Application['registration']> {
  if (madeBy === null) return 'dynamic'
  const { credentials } = await op.snapshot({ clients: [madeBy] })
  return credentials.get(madeBy)?.application.registration ?? 'dynamic'
}
