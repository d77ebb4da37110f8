// AppAuth-JS in Node.js: it listens at a port of this machine for the answer.
import {
  AuthorizationNotifier,
  AuthorizationRequest,
  AuthorizationServiceConfiguration,
  BaseTokenRequestHandler,
  GRANT_TYPE_AUTHORIZATION_CODE,
  TokenRequest,
} from '@openid/appauth'
import { NodeCrypto } from '@openid/appauth/built/src/node_support/crypto_utils.js'
import { NodeBasedHandler } from '@openid/appauth/built/src/node_support/node_request_handler.js'
import { NodeRequestor } from '@openid/appauth/built/src/node_support/node_requestor.js'

const { ISSUER, CLIENT_ID, REDIRECT_URI, PORT } = process.env
const about = { client_id: CLIENT_ID, redirect_uri: REDIRECT_URI }

/** It opens a browser. Here the address is printed too. */
class Handler extends NodeBasedHandler {
  buildRequestUrl(...given) {
    const address = super.buildRequestUrl(...given)
    console.log('Open', address)
    return address
  }
}

async function signIn() {
  const requestor = new NodeRequestor()
  const portal = await AuthorizationServiceConfiguration.fetchFromIssuer(ISSUER, requestor)
  const handler = new Handler(Number(PORT))
  const notifier = new AuthorizationNotifier()
  handler.setAuthorizationNotifier(notifier)
  notifier.setAuthorizationListener(async (request, response, error) => {
    if (error) throw new Error(`${error.error}: ${error.errorDescription}`)
    const exchange = new TokenRequest({
      ...about,
      grant_type: GRANT_TYPE_AUTHORIZATION_CODE,
      code: response.code,
      extras: { code_verifier: request.internal.code_verifier },
    })
    const tokens = await new BaseTokenRequestHandler(requestor).performTokenRequest(
      portal,
      exchange,
    )
    const headers = { authorization: `Bearer ${tokens.accessToken}` }
    console.log(await (await fetch(portal.userInfoEndpoint, { headers })).json())
  })
  const wanted = { ...about, scope: 'openid profile email', response_type: 'code' }
  handler.performAuthorizationRequest(portal, new AuthorizationRequest(wanted, new NodeCrypto()))
}

signIn()
