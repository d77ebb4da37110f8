import type { Incoming, Reply } from '../base/http'
import { seeOther } from './answer'
import type { AuditEvent } from './audit-event'
import type { AuthorizationRequest } from './authorization-request'
import { clearedCookie } from './cookies'
import { isOAuthError, OAuthError, ourFault, traceOf } from './errors'
import type { BrowserSession, Provider } from './provider'
import { recordAtClient, refusalOf } from './refusal'
import { NO_CLAIMS } from './requested-claims'
import type { Interaction, StoredDevice } from './stores'

/**
 * The answer of a user to a device that waits elsewhere (RFC 8628 §3.3). It goes through the same
 * steps as any sign-in; its answer is stored for the device, and a page of the portal says so.
 */

/** Where a person types the code; with the code in the query, it is filled in. */
export const VERIFICATION_PATH = '/device'

export const DEVICE_RESULTS = ['approved', 'refused', 'blocked', 'answered', 'expired'] as const
type DeviceResult = (typeof DEVICE_RESULTS)[number]

function donePath(result: DeviceResult): string {
  return `${VERIFICATION_PATH}/done?result=${result}`
}

/** As an authorization request that is always asked: an earlier consent does not answer it. */
export async function askOfDevice(
  op: Provider,
  device: StoredDevice,
): Promise<AuthorizationRequest> {
  const clientId = device.accessKeyId ?? device.applicationId
  const { credentials } = await op.snapshot({ clients: [clientId] })
  return {
    clientId,
    redirectUri: `${op.origin}${VERIFICATION_PATH}/done`,
    responseMode: 'query',
    state: null,
    scopes: [...device.scopes],
    resources: [...device.resources],
    nonce: null,
    challenge: null,
    prompt: ['consent'],
    maxAge: credentials.get(clientId)?.application.defaultMaxAge ?? null,
    loginHint: null,
    hintedUserId: null,
    uiLocales: null,
    claims: NO_CLAIMS,
    userinfoClaims: [],
    acrValues: [...device.acrValues],
    essentialAcr: null,
    device: { id: device.id, confirmedAt: null },
    askedAt: op.now().getTime(),
  }
}

type Answering = { op: Provider; incoming: Incoming; interaction: Interaction; deviceId: string }

/** What ends the interaction ends the device too, so that it does not wait for nothing. */
export async function forDevice(answering: Answering, work: () => Promise<Reply>): Promise<Reply> {
  const { op, incoming } = answering
  try {
    return await work()
  } catch (error) {
    if (isOAuthError(error)) return blockDevice(answering, error)
    op.report(error, incoming.requestId)
    return op.errorPage(incoming, ourFault(op, error), 'signIn')
  }
}

/** The device learns only that it was refused; the admins of the application see why. */
async function blockDevice(answering: Answering, error: OAuthError): Promise<Reply> {
  const { op, incoming, interaction } = answering
  const { clientId } = interaction.ask
  await recordAtClient(op, incoming, clientId, 'authorize.refused', refusalOf(error))
  const detail = { error: error.word, reason: error.refusal.reason }
  return { ...(await refuseDevice(answering, 'blocked', detail)), ...traceOf(error) }
}

export async function approveDevice(
  op: Provider,
  incoming: Incoming,
  interaction: Interaction,
  session: BrowserSession,
  application: { id: string },
): Promise<Reply> {
  const { ask, id } = interaction
  if (!ask.device) {
    const description = 'no device waits for this answer'
    throw new OAuthError('invalid_request', description, 'interaction_ended')
  }
  const approval = {
    userId: session.user.id,
    sessionId: session.id,
    authTime: session.authTime,
    acr: session.acr,
    amr: session.amr,
  }
  const approved = await op.devices.approve(ask.device.id, approval, id, op.now(), {
    ...eventOf(incoming, 'device_sign_in.approved', session.user.id),
    applicationId: application.id,
    detail: { scope: ask.scopes },
  })
  return ended(op, id, approved ? 'approved' : await whyNot(op, ask.device.id))
}

export async function refuseDevice(
  { op, incoming, interaction, deviceId }: Answering,
  result: 'refused' | 'blocked',
  detail: Record<string, unknown> = {},
): Promise<Reply> {
  const session = await op.sessionOf(incoming)
  const device = await op.devices.find(deviceId)
  const { id } = interaction
  if (!device) return ended(op, id, 'expired')
  const refused = await op.devices.deny(deviceId, id, op.now(), {
    ...eventOf(incoming, 'device_sign_in.denied', session?.user.id ?? null),
    applicationId: device.applicationId,
    detail,
  })
  return ended(op, id, refused ? result : await whyNot(op, deviceId))
}

function eventOf(
  { ip, requestId }: Incoming,
  event: 'device_sign_in.approved' | 'device_sign_in.denied',
  userId: string | null,
): AuditEvent {
  return {
    event,
    result: event === 'device_sign_in.approved' ? 'success' : 'failure',
    ...(userId === null
      ? { actorKind: 'system', actorId: null }
      : { actorKind: 'user', actorId: userId }),
    ip,
    requestId,
    detail: {},
  }
}

/** The device has ended, or somebody answered before. */
async function whyNot(op: Provider, deviceId: string): Promise<DeviceResult> {
  const device = await op.devices.find(deviceId)
  const answered = device && (device.approval !== null || device.deniedAt !== null)
  return answered ? 'answered' : 'expired'
}

function ended(op: Provider, interactionId: string, result: DeviceResult): Reply {
  return seeOther(donePath(result), clearedCookie(op, interactionId))
}
