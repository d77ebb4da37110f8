import { type Incoming, json, NO_STORE, type Reply } from '../base/http'
import { newDatedId, newSecret } from '../crypto/secrets'
import type { AuditEvent } from './audit-event'
import { type Client, DEVICE_CODE } from './client'
import { authenticateClient, slowDown } from './client-auth'
import { VERIFICATION_PATH } from './device'
import { isOAuthError, OAuthError } from './errors'
import { type Form, readForm } from './params'
import { askedResources, askedScopes, readAcrValues } from './parse-authorization-request'
import type { Provider } from './provider'
import { recordTokenRefusal } from './refusal'
import { enforceRateLimit } from './token'
import { hashUserCode, newUserCode, shownUserCode } from './user-code'

const DEVICE_SECONDS = 15 * 60
const INTERVAL_SECONDS = 5
/** Of one application at a time: what waits has an end, and so has what a guess can hit. */
const MAX_WAITING = 10_000
/** Two codes that wait at the same time are never the same. */
const TRIES = 3

/** POST /oidc/device_authorization (RFC 8628 §3.1) */
export async function deviceAuthorization(op: Provider, incoming: Incoming): Promise<Reply> {
  const form = await readForm(incoming)
  const client = await authenticateClient(op, incoming, form)
  await enforceRateLimit(op, client, incoming)
  try {
    requireAllowed(client)
    await requireFewDevices(op, client, incoming)
    return json(200, await begin(op, client, form, incoming), NO_STORE)
  } catch (error) {
    if (isOAuthError(error)) recordTokenRefusal(op, client, incoming, error)
    throw error
  }
}

function requireAllowed({ application }: Client): void {
  if (application.grantTypes.includes(DEVICE_CODE)) return
  throw new OAuthError(
    'unauthorized_client',
    'the application may not use this grant type',
    'grant_type_not_allowed',
  )
}

/** Anybody can send the requests of a public client: each network has its own limit. */
async function requireFewDevices(op: Provider, { id }: Client, { ip }: Incoming): Promise<void> {
  if (ip === null) return
  const retryAfter = await op.limits.deviceRequests.take(`${id} ${op.limits.networkOf(ip)}`)
  if (retryAfter > 0) throw slowDown(retryAfter)
}

async function begin(op: Provider, client: Client, form: Form, incoming: Incoming) {
  const deviceCode = newSecret('ghdc')
  const createdAt = op.now()
  const scopes = askedScopes(client.application, form)
  const device = {
    id: newDatedId('dva'),
    deviceCodeHash: op.hashSecret(deviceCode),
    applicationId: client.application.id,
    accessKeyId: client.accessKey?.id ?? null,
    scopes,
    resources: await askedResources(op, client.application, form),
    acrValues: readAcrValues(form),
    ip: incoming.ip,
    intervalSeconds: INTERVAL_SECONDS,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + DEVICE_SECONDS * 1000),
  }
  const userCode = await saved(op, device)
  // Anybody can ask in the name of a public client, so of those only some are recorded.
  const isRecorded = client.confidential || op.limits.refusals.mayRecord(`${client.id} device`)
  if (isRecorded) op.record(requested(client, incoming, scopes))
  const verification_uri = op.origin + VERIFICATION_PATH
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${userCode}`,
    expires_in: DEVICE_SECONDS,
    interval: INTERVAL_SECONDS,
  }
}

function requested(
  { id, application }: Client,
  { ip, requestId }: Incoming,
  scope: readonly string[],
): AuditEvent {
  return {
    event: 'device_sign_in.requested',
    result: 'success',
    actorKind: 'client',
    actorId: id,
    applicationId: application.id,
    ip,
    requestId,
    detail: { scope },
  }
}

type Device = Parameters<Provider['devices']['save']>[0]

/** Returns the code that the person will type. */
async function saved(op: Provider, device: Omit<Device, 'userCodeHash'>): Promise<string> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const code = newUserCode()
    const userCodeHash = hashUserCode(op, code)
    const answer = await op.devices.save({ ...device, userCodeHash }, MAX_WAITING)
    if (answer === 'saved') return shownUserCode(code)
    if (answer === 'full') await op.devices.makeRoom(device.applicationId, device.createdAt)
  }
  throw new Error('no user code is free')
}
