// The user signs in on another device, which reads the QR code (RFC 8628).
import * as openid from 'openid-client'
import { renderUnicodeCompact } from 'uqr'

const portal = await openid.discovery(
  new URL("{{issuer}}"),
  "{{clientId}}",
  undefined,
  openid.None(),
{{?plainHttp}}  { execute: [openid.allowInsecureRequests] },
{{?!plainHttp}}  undefined,
)
const device = await openid.initiateDeviceAuthorization(portal, { scope: "{{scope}}" })
console.log(renderUnicodeCompact(device.verification_uri_complete))
console.log(`Open ${device.verification_uri} and enter the code ${device.user_code}`)

const tokens = await openid.pollDeviceAuthorizationGrant(portal, device)
console.log('Granted:', tokens.scope)
console.log(tokens.claims())
