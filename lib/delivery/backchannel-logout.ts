import { z } from 'zod'
import type { Op } from '../context/op'
import { signJwt } from '../crypto/jwt'
import { seal, unseal } from '../crypto/seal'
import { newId } from '../crypto/secrets'
import { outboundHostsFor } from '../settings/outbound-hosts'
import { logoutReceiver, type NewMessage } from '../store/delivery/outbox'
import { postForm } from './post-form'
import { NoReceiver } from './refusals'

/**
 * OpenID Connect Back-Channel Logout 1.0: each application of an ended session is notified once.
 */

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const TOKEN_SECONDS = 120

/** Older versions stored the address too, but no application. */
const payloadSchema = z.object({
  clientId: z.string(),
  applicationId: z.string().optional(),
  userId: z.string(),
  sessionId: z.string(),
})

type LogoutNotice = z.infer<typeof payloadSchema>

/** `once`: what it is sent once for; the end of the session if nothing else is said. */
export function logoutMessage(
  encryptionKey: Buffer,
  notice: LogoutNotice,
  now: Date,
  once = `${notice.sessionId} ${notice.clientId}`,
): NewMessage {
  const id = newId('out')
  return {
    id,
    kind: 'backchannel_logout',
    dedupeKey: once,
    about: null,
    targetId: notice.applicationId ?? null,
    payloadEncrypted: seal(encryptionKey, id, JSON.stringify(notice)),
    createdAt: now,
  }
}

/**
 * The address is read last, so that an address that was removed or changed gets nothing more. A
 * disabled application is notified too: its own sessions may still be open, and must not be when it
 * is enabled again.
 */
export async function deliverLogout(op: Op, id: string, sealed: string): Promise<void> {
  const notice = openNotice(op.outboxKey, id, sealed)
  const fields = { logout_token: await logoutToken(op, id, notice) }
  const receiver = await op.read((db) =>
    logoutReceiver(db, notice.applicationId ?? notice.clientId),
  )
  if (!receiver) throw new NoReceiver('the application has no logout address')
  const { uri, registration } = receiver
  const status = await postForm(uri, fields, outboundHostsFor(op.config, registration))
  if (status !== 200 && status !== 204) throw new Error(`answered ${status}`)
}

function openNotice(encryptionKey: Buffer, id: string, sealed: string): LogoutNotice {
  return payloadSchema.parse(JSON.parse(unseal(encryptionKey, id, sealed)))
}

type Signer = {
  issuer: string
  now(): Date
  signingKey(alg: 'RS256'): Promise<Parameters<typeof signJwt>[0]>
}

/** §2.4. The ID of the message is the `jti`: however often it is sent, it is one logout. */
async function logoutToken(op: Signer, id: string, notice: LogoutNotice): Promise<string> {
  const issuedAt = Math.floor(op.now().getTime() / 1000)
  return signJwt(await op.signingKey('RS256'), 'logout+jwt', {
    iss: op.issuer,
    aud: notice.clientId,
    sub: notice.userId,
    sid: notice.sessionId,
    jti: id,
    iat: issuedAt,
    exp: issuedAt + TOKEN_SECONDS,
    events: { [EVENT]: {} },
  })
}
