// A television signs somebody in (RFC 8628): it shows a code and a QR code, the person answers on a phone.
import * as openid from 'openid-client'
import { renderUnicodeCompact } from 'uqr'

const { ISSUER = 'http://localhost:3000', CLIENT_ID } = process.env
if (!CLIENT_ID) throw new Error('Set CLIENT_ID to an application of the type “Device”.')
// Plain http is for a portal on this machine; the package refuses it unless told.
const execute = ISSUER.startsWith('http://localhost:') ? [openid.allowInsecureRequests] : []
const portal = await openid.discovery(new URL(ISSUER), CLIENT_ID, undefined, openid.None(), {
  execute,
})

const scope = 'openid profile offline_access orders:read orders:refund'
const device = await openid.initiateDeviceAuthorization(portal, { scope })
console.log(renderUnicodeCompact(device.verification_uri_complete))
console.log(`Open ${device.verification_uri} on your phone and enter the code ${device.user_code}`)

// Asks every few seconds, and more slowly if the portal says so.
const tokens = await openid.pollDeviceAuthorizationGrant(portal, device).catch(giveUp)
const { sub } = tokens.claims()
const person = await openid.fetchUserInfo(portal, tokens.access_token, sub)
console.log('Good evening,', person.name)
console.log('Granted:', tokens.scope)
console.log('Not granted:', tokens.scope_rejected ?? 'nothing')

// It stays signed in: the person is not asked again tomorrow.
const fresh = await openid.refreshTokenGrant(portal, tokens.refresh_token)
console.log('Refreshed, for', fresh.expires_in, 'seconds')

function giveUp({ error, message }) {
  const words = {
    access_denied: 'Somebody refused this television.',
    expired_token: 'Nobody answered in time. Start again.',
  }
  console.error(words[error] ?? message)
  process.exit(1)
}
