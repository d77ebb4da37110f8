import type { Incoming } from '../../base/http'
import { newSecret } from '../../crypto/secrets'
import { type Client, DEVICE_CODE } from '../client'
import { OAuthError } from '../errors'
import type { Form } from '../params'
import type { Provider } from '../provider'
import type { ReasonOf } from '../refusal-reasons'
import { NO_CLAIMS } from '../requested-claims'
import type { PresentedDevice, StoredDevice } from '../stores'
import { tokenIssued } from './issued'
import { newRefresh, newTokenGrant, settleAuthorized } from './redeem'
import type { TokenResponse } from './token-response'
import { belongsTo, invalidGrant, narrowedResources, userTokenResponse } from './user-tokens'

/** RFC 8628 §3.5: for this and all later requests. */
const SLOWER_SECONDS = 5
/** A poll that arrives a little early because an earlier one was late on its way. */
const EARLY_MS = 500

/** RFC 8628 §3.4: the device asks until its user has answered elsewhere. */
export async function deviceCode(
  op: Provider,
  client: Client,
  form: Form,
  incoming: Incoming,
): Promise<TokenResponse> {
  const { device, userIsActive, answered } = await requireDevice(op, client, form)
  const approval = await requireApproved(op, device)
  if (!userIsActive) throw invalidGrant('user_disabled')
  const approved = { ...device, ...approval, claims: NO_CLAIMS, grantType: DEVICE_CODE }
  const audiences = await narrowedResources(op, client, form, device.resources)
  const settled = await settleAuthorized(op, client, incoming, { ...approved, answered }, audiences)
  const grant = newTokenGrant(op, client, approved, settled)
  const refreshToken = grant.offline ? newSecret('ghrt') : null
  const tokenId = op.newTokenId()
  const { userId } = approval
  const issued = { grantType: DEVICE_CODE, userId, tokenId, settled }
  const won = await op.devices.exchange(
    device.deviceCodeHash,
    op.now(),
    grant,
    newRefresh(op, refreshToken),
    tokenIssued(client, incoming, issued),
  )
  if (!won) throw invalidGrant(await whySpent(op, device))
  op.meter.tokenIssued(DEVICE_CODE)
  const login = { client, incoming, grant, settled, audiences }
  return userTokenResponse(op, { ...login, tokenId, refreshToken, nonce: null })
}

/** An unknown code, one of another client and one that was used get the same answer. */
async function requireDevice(op: Provider, client: Client, form: Form): Promise<PresentedDevice> {
  const value = form.get('device_code')
  if (value === undefined) {
    throw new OAuthError('invalid_request', 'device_code is missing', 'device_code_missing')
  }
  const presented = await op.devices.findWithUser(op.hashSecret(value))
  if (!presented) throw invalidGrant('device_code_unknown')
  if (!belongsTo(client, presented.device)) throw invalidGrant('device_code_other_client')
  if (presented.device.usedAt !== null) throw invalidGrant('device_code_used')
  return presented
}

/** Since it was read. */
async function whySpent(op: Provider, { id }: StoredDevice): Promise<ReasonOf<'invalid_grant'>> {
  const device = await op.devices.find(id)
  if (!device) return 'device_code_unknown'
  return device.usedAt === null ? 'device_code_expired' : 'device_code_used'
}

async function requireApproved(op: Provider, device: StoredDevice) {
  if (device.deniedAt !== null) {
    throw new OAuthError('access_denied', 'the user refused the device', 'device_declined')
  }
  if (device.expiresAt <= op.now()) {
    const description = 'the device code has expired; ask for a new one'
    throw new OAuthError('expired_token', description, 'device_code_expired')
  }
  if (device.approval) return device.approval
  if (await isTooFast(op, device)) {
    const description = 'wait five seconds longer between two requests'
    throw new OAuthError('polled_too_fast', description, 'device_too_fast')
  }
  throw new OAuthError('authorization_pending', 'the user has not answered yet', 'device_pending')
}

/** Of polls at the same moment one is in time. */
async function isTooFast(op: Provider, device: StoredDevice): Promise<boolean> {
  const now = op.now()
  const due = new Date(now.getTime() - device.intervalSeconds * 1000 + EARLY_MS)
  if (await op.devices.poll(device.id, now, due)) return false
  await op.devices.slowDown(device.id, now, SLOWER_SECONDS)
  return true
}
