import { english } from '../translation'

/** Why a request was refused: what it means, and what to do next. */
export const refusalReasons = english({
  http_method: {
    title: 'Wrong HTTP method',
    text: 'The endpoint does not accept the method of the request.',
    next: 'Use a method that the Allow header of the answer lists. Token requests are POST.',
  },
  url_too_long: {
    title: 'URL too long',
    text: 'The URL of the request is longer than 8 KiB.',
    next: 'Send the parameters in the body of a POST request, or send fewer.',
  },
  body_too_large: {
    title: 'Body too large',
    text: 'The body is larger than 64 KiB. A sign-out request may be as long as a URL.',
    next: 'Send less.',
  },
  body_type: {
    title: 'Wrong content type',
    text: 'The body is not of the type that the endpoint reads.',
    next: 'Send application/x-www-form-urlencoded without compression. A registration is application/json.',
  },
  form_malformed: {
    title: 'Malformed form',
    text: 'The form is not UTF-8, or its percent-encoding is wrong.',
    next: 'Let an HTTP library encode the form.',
  },
  secret_in_url: {
    title: 'Credentials in the URL',
    text: 'A secret, a code or a client ID was sent in the URL, where logs keep it.',
    next: 'Send it in the body. Replace a secret that was in a URL.',
  },
  parameter_repeated: {
    title: 'Repeated parameter',
    text: 'A parameter was sent twice.',
    next: 'Send each parameter once. Only resource may be repeated.',
  },
  parameter_too_long: {
    title: 'Parameter too long',
    text: 'A parameter such as state or nonce is too long.',
    next: 'Keep state below 4 KiB and nonce below 1 KiB. Store what is longer in the application.',
  },
  too_many_parameters: {
    title: 'Too many parameters',
    text: 'The request has more than 100 parameters.',
    next: 'Send only those that the endpoint knows.',
  },
  rate_limited: {
    title: 'Too many requests',
    text: 'The limit of requests was reached.',
    next: 'Wait for as many seconds as Retry-After says. Keep access tokens until they expire.',
  },
  internal_error: {
    title: 'Internal error',
    text: 'Something went wrong inside the portal.',
    next: 'Find the request ID in the log of the portal. The entry before it has the cause.',
  },
  database_unavailable: {
    title: 'Database not reachable',
    text: 'The portal could not reach its database.',
    next: 'Check the database. The application can try again.',
  },
  client_unknown: {
    title: 'Unknown application',
    text: 'No application and no access key has this client ID.',
    next: 'Check the ID in the settings of the client. A deleted application does not come back.',
  },
  application_disabled: {
    title: 'Application disabled',
    text: 'The application is disabled.',
    next: 'Enable it in the danger zone.',
  },
  access_key_unusable: {
    title: 'Access key disabled or expired',
    text: 'The access key is disabled or has expired.',
    next: 'Enable it or create a new one.',
  },
  credentials_missing: {
    title: 'No client authentication',
    text: 'The request does not say which client sends it.',
    next: 'Send client_id, and the secret or the client assertion.',
  },
  credentials_malformed: {
    title: 'Credentials cannot be read',
    text: 'The Authorization header is not valid Basic authentication, or a secret came without client_id.',
    next: 'Encode client ID and secret as a form, join them with a colon, and encode the result with base64.',
  },
  client_id_differs: {
    title: 'Two different clients',
    text: 'client_id in the request differs from the client of the Authorization header, the client assertion or the ID token.',
    next: 'Send the same client everywhere, or leave client_id out.',
  },
  several_methods: {
    title: 'Two authentication methods',
    text: 'The client authenticated in several ways at once.',
    next: 'Use one of them: the Authorization header, client_secret or client_assertion.',
  },
  method_not_allowed: {
    title: 'Authentication method not allowed',
    text: 'The application authenticated with a method that is not selected in its settings.',
    next: 'Select the method in the settings, or configure the client to use a selected one.',
  },
  too_many_guesses: {
    title: 'Too many wrong secrets',
    text: 'Wrong secrets came from this network too often. Now the right one is refused too.',
    next: 'Correct the secret, then wait for as many seconds as Retry-After says. If the application did not send them, replace the secret.',
  },
  wrong_secret: {
    title: 'Wrong secret',
    text: 'The secret is not one of this application.',
    next: 'Check that it was copied completely, or add a new secret.',
  },
  secret_expired: {
    title: 'Expired secret',
    text: 'The secret has expired.',
    next: 'Add a new secret and use it in the application.',
  },
  assertion_type: {
    title: 'Wrong type of client assertion',
    text: 'client_assertion_type is missing or unknown.',
    next: 'Send urn:ietf:params:oauth:client-assertion-type:jwt-bearer.',
  },
  assertion_malformed: {
    title: 'Client assertion is not a valid JWT',
    text: 'The client assertion could not be read as a signed JWT.',
    next: 'Sign it with a JWT library, with the application ID as iss and sub.',
  },
  assertion_keys_missing: {
    title: 'No public keys',
    text: 'The application has no public keys.',
    next: 'Add them in its settings.',
  },
  assertion_keys_unreachable: {
    title: 'Public keys could not be fetched',
    text: 'The URL of the public keys did not answer with a JWK set.',
    next: 'Check the URL, and whether this portal can reach it.',
  },
  assertion_key_unknown: {
    title: 'Unknown key',
    text: 'None of the public keys has the key ID of the client assertion.',
    next: 'Add the key, or use the private key that belongs to a registered one.',
  },
  assertion_algorithm: {
    title: 'Algorithm not supported',
    text: 'The client assertion is signed with an algorithm that is not accepted.',
    next: 'Use ES256, PS256, EdDSA or RS256.',
  },
  assertion_signature: {
    title: 'Wrong signature',
    text: 'The signature of the client assertion does not match the public key.',
    next: 'Use the private key that belongs to the registered public key.',
  },
  assertion_issuer: {
    title: 'Wrong issuer or subject',
    text: 'iss or sub of the client assertion is not the application ID.',
    next: 'Set both to the application ID.',
  },
  assertion_audience: {
    title: 'Wrong audience',
    text: 'aud of the client assertion is not accepted. The signature is right, so the application sent it.',
    next: 'Set aud to the issuer of this portal, or accept another audience in the settings.',
  },
  assertion_expired: {
    title: 'Client assertion expired',
    text: 'exp of the client assertion is in the past.',
    next: 'Check the clock of the application, and make a new assertion for each request.',
  },
  assertion_life: {
    title: 'Client assertion lives too long',
    text: 'exp of the client assertion is missing or too far in the future.',
    next: 'Set exp to a few minutes from now.',
  },
  assertion_early: {
    title: 'Client assertion not valid yet',
    text: 'iat or nbf of the client assertion is in the future.',
    next: 'Check the clock of the application.',
  },
  assertion_id: {
    title: 'Client assertion without an ID',
    text: 'The client assertion has no jti, or it is too long.',
    next: 'Set jti to a unique ID of at most 256 characters.',
  },
  assertion_replayed: {
    title: 'Client assertion used twice',
    text: 'A client assertion can be used once.',
    next: 'Make a new one for each request. If the application did, somebody else may have copied it.',
  },
  confidential_only: {
    title: 'Only for applications that authenticate',
    text: 'A public application sent a request that only an application with a secret or a key may send.',
    next: 'Give the application a secret or a key, if it can keep one.',
  },
  grant_type_missing: {
    title: 'No grant type',
    text: 'The token request has no grant_type.',
    next: 'Send grant_type.',
  },
  grant_type_unknown: {
    title: 'Unknown grant type',
    text: 'The portal does not know this grant type.',
    next: 'Use a grant type that the discovery document lists.',
  },
  grant_type_not_allowed: {
    title: 'Grant type not allowed',
    text: 'The application may not use this grant type.',
    next: 'Select the grant type in the settings of the application, or let the client use another.',
  },
  scope_missing: {
    title: 'No scope',
    text: 'The request has no scope, and the application has no default scope.',
    next: 'Send scope, or set default scopes in the settings.',
  },
  scope_malformed: {
    title: 'Malformed scope',
    text: 'scope contains a character that is not allowed, or it is too long.',
    next: 'Separate scopes with one space. Ask for at most 100.',
  },
  scope_not_authorized: {
    title: 'More scopes than authorized',
    text: 'A refresh asked for a scope that the user did not authorize at the sign-in.',
    next: 'Leave scope out of the refresh, or send the user to sign in again with the new scope.',
  },
  scopes_refused: {
    title: 'Scopes refused',
    text: 'No scope was granted, or the application is set to strict and one was refused.',
    next: 'The refused scopes have a reason each. Grant what is missing, or ask for less.',
  },
  resource_unknown: {
    title: 'Unknown API',
    text: 'resource or audience names no API that is enabled.',
    next: 'Send the audience of an API.',
  },
  resource_ambiguous: {
    title: 'Several addresses of one API',
    text: 'The request names two addresses of the same API. A token is for one of them.',
    next: 'Send one address, and ask for a second token for the other.',
  },
  resource_not_authorized: {
    title: 'API not authorized',
    text: 'resource names an API that the sign-in was not for.',
    next: 'Send the same resource in the authorization request.',
  },
  token_too_long: {
    title: 'Token too long',
    text: 'The exchanged token would be longer than 8 KiB.',
    next: 'Ask for fewer scopes, or make the chain of services shorter.',
  },
  token_missing: {
    title: 'No token',
    text: 'The request to introspect or revoke has no token.',
    next: 'Send token.',
  },
  redirect_uri_missing: {
    title: 'No redirect URI',
    text: 'The request has no redirect_uri.',
    next: 'Send one of the registered redirect URIs, also in the token request.',
  },
  redirect_uri: {
    title: 'Redirect URI is not registered',
    text: 'The redirect URI is not the same as a registered one, character by character.',
    next: 'If it is yours, add it in the settings.',
  },
  response_mode: {
    title: 'Response mode not supported',
    text: 'response_mode is neither query nor form_post.',
    next: 'Use one of the two, or leave it out.',
  },
  response_type_missing: {
    title: 'No response type',
    text: 'The authorization request has no response_type.',
    next: 'Send response_type=code.',
  },
  response_type: {
    title: 'Response type not supported',
    text: 'Only the response type code is supported.',
    next: 'Send response_type=code, and exchange the code at the token endpoint.',
  },
  request_object: {
    title: 'Request objects are not supported',
    text: 'The authorization request has the parameter request.',
    next: 'Send the parameters themselves.',
  },
  request_uri: {
    title: 'request_uri is not supported',
    text: 'The authorization request has the parameter request_uri.',
    next: 'Send the parameters themselves.',
  },
  registration_parameter: {
    title: 'The parameter registration is not supported',
    text: 'The authorization request has the parameter registration.',
    next: 'Register the application before it sends users here.',
  },
  prompt: {
    title: 'Wrong prompt',
    text: 'prompt has an unknown value, or none beside another value.',
    next: 'Use none alone, or login, consent and select_account.',
  },
  max_age: {
    title: 'Wrong max_age',
    text: 'max_age is not a number of seconds.',
    next: 'Send a whole number without a sign.',
  },
  claims_parameter: {
    title: 'Wrong claims parameter',
    text: 'claims is not JSON of the expected form, or is too long.',
    next: 'Send an object with userinfo and id_token, as OpenID Connect Core describes it.',
  },
  id_token_hint: {
    title: 'ID token is not from here',
    text: 'id_token_hint was not issued by this portal, or not to this application.',
    next: 'Send an ID token that the application got from this portal. It may have expired.',
  },
  hints_differ: {
    title: 'Two different users',
    text: 'id_token_hint and claims name different users.',
    next: 'Send one of them.',
  },
  pkce_missing: {
    title: 'PKCE is missing',
    text: 'The authorization request has no code_challenge, and this application requires PKCE.',
    next: 'Send code_challenge with code_challenge_method=S256. Libraries have a setting for it.',
  },
  pkce_learned: {
    title: 'PKCE is missing, although the application uses it',
    text: 'The authorization request has no code_challenge. The application has used PKCE before, so the portal requires it now.',
    next: 'Find out who sent this request: an attacker may have removed the challenge. If the application also runs in a version without PKCE, update that version, or set PKCE to “Not required”.',
  },
  pkce_portal: {
    title: 'PKCE is missing, and the portal requires it',
    text: 'The authorization request has no code_challenge. A setting of the portal requires PKCE of every application.',
    next: 'Send code_challenge with code_challenge_method=S256. Libraries have a setting for it.',
  },
  code_challenge: {
    title: 'Wrong PKCE challenge',
    text: 'code_challenge is malformed or missing, or code_challenge_method is not S256.',
    next: 'Send the SHA-256 of the verifier in base64url, and code_challenge_method=S256.',
  },
  interaction_ended: {
    title: 'Sign-in expired or completed',
    text: 'The sign-in is older than an hour, was completed, or belongs to another browser.',
    next: 'The user begins again at the application.',
  },
  login_needed: {
    title: 'Nobody is signed in',
    text: 'prompt=none was sent, and the user has to sign in first.',
    next: 'Send the user to the authorization endpoint without prompt=none. This is no mistake.',
  },
  account_choice_needed: {
    title: 'Account not chosen',
    text: 'prompt=none was sent, and the user is signed in with several accounts.',
    next: 'Send the user to the authorization endpoint without prompt=none, or send id_token_hint.',
  },
  consent_needed: {
    title: 'Consent needed',
    text: 'prompt=none was sent, and the user has to agree first.',
    next: 'Send the user to the authorization endpoint without prompt=none. This is no mistake.',
  },
  stronger_sign_in_needed: {
    title: 'Stronger sign-in needed',
    text: 'The request needs a stronger sign-in than the user can give.',
    next: 'Ask for a weaker level, or let the user set up a second factor.',
  },
  user_declined: {
    title: 'The user declined',
    text: 'The user pressed Cancel on the consent page.',
    next: 'Tell the user what the application needs the access for.',
  },
  user_not_admitted: {
    title: 'The user may not use the application',
    text: 'The user lacks a required scope of the application.',
    next: 'Assign a role that gives the scope, or let the user ask for it. Or remove the scope from the required ones.',
  },
  code_missing: {
    title: 'No authorization code',
    text: 'The token request has no code.',
    next: 'Send the code that the redirect URI received.',
  },
  code_unknown: {
    title: 'Unknown authorization code',
    text: 'The code does not exist. It was mistyped, deleted long after its end, or revoked before it was used.',
    next: 'Exchange the code as it was received. If the user signed out meanwhile, they sign in again.',
  },
  code_other_client: {
    title: 'Authorization code of another client',
    text: 'The code was issued to another application, or to another access key.',
    next: 'Exchange it with the client ID of the authorization request. If the application did, somebody tries a stolen code.',
  },
  code_redirect_uri: {
    title: 'Redirect URI differs from the authorization request',
    text: 'The token request does not repeat the redirect_uri of the authorization request.',
    next: 'Send the same redirect_uri in both, character by character.',
  },
  code_verifier: {
    title: 'Wrong PKCE verifier',
    text: 'code_verifier does not match the code_challenge of the authorization request, or one of them is missing.',
    next: 'Keep the verifier of each sign-in in the browser session that began it.',
  },
  code_without_pkce: {
    title: 'Authorization code without PKCE',
    text: 'The code was issued without PKCE, which the application or the portal has required since.',
    next: 'Send code_challenge with code_challenge_method=S256 in the authorization request, and let the user sign in again.',
  },
  code_expired: {
    title: 'Authorization code expired',
    text: 'The code is older than 60 seconds.',
    next: 'Exchange it at once. If the clock of the portal was set back, wait until it is right.',
  },
  code_used: {
    title: 'Authorization code used twice',
    text: 'The code was exchanged before. The tokens of the first exchange have been revoked.',
    next: 'Exchange each code once. If the application did, somebody else has the code.',
  },
  code_blocked: {
    title: 'Authorization code blocked',
    text: 'The code was sent with a wrong PKCE verifier too often.',
    next: 'The user signs in again. Correct the verifier first.',
  },
  device_code_missing: {
    title: 'No device code',
    text: 'The token request has no device_code.',
    next: 'Send the device_code of the device authorization.',
  },
  device_code_unknown: {
    title: 'Unknown device code',
    text: 'The device code does not exist, or was deleted after its end.',
    next: 'Ask for a new one, and show it.',
  },
  device_code_other_client: {
    title: 'Device code of another client',
    text: 'The device code was issued to another application, or to another access key.',
    next: 'Poll with the client ID that asked for the code.',
  },
  device_code_used: {
    title: 'Device code used twice',
    text: 'The device code was exchanged before.',
    next: 'Stop to poll after the first answer with tokens.',
  },
  device_code_expired: {
    title: 'Device code expired',
    text: 'Nobody answered for the device within 15 minutes.',
    next: 'Ask for a new code, and show it.',
  },
  device_declined: {
    title: 'Device refused',
    text: 'The user refused the device, or was not allowed to use the application.',
    next: 'Tell the user. If an authorization request was refused at the same time, its reason is listed here too.',
  },
  device_pending: {
    title: 'Device waits for its user',
    text: 'The user has not answered for the device yet.',
    next: 'Ask again after the interval. This is no mistake.',
  },
  device_too_fast: {
    title: 'Device polls too fast',
    text: 'The device asked again before its interval was over.',
    next: 'Add five seconds to the interval.',
  },
  refresh_missing: {
    title: 'No refresh token',
    text: 'The request has no refresh_token.',
    next: 'Send the newest refresh token that the application got.',
  },
  refresh_unknown: {
    title: 'Unknown refresh token',
    text: 'The refresh token does not exist here. It is another kind of token, was mistyped, or was deleted with its user or long after its end.',
    next: 'Check what the application stores. The user signs in again.',
  },
  refresh_other_client: {
    title: 'Refresh token of another client',
    text: 'The refresh token was issued to another application, or to another access key.',
    next: 'Refresh with the client ID that got the token. If the application did, somebody tries a stolen token.',
  },
  refresh_expired: {
    title: 'Refresh token expired',
    text: 'Nobody used the refresh token for 14 days, or the sign-in is older than 90 days.',
    next: 'The user signs in again. An application that refreshes at least every 14 days stays signed in longer.',
  },
  refresh_replayed: {
    title: 'Refresh token used twice',
    text: 'A used refresh token was sent again, in a way that looks like theft. All tokens of the sign-in have been revoked.',
    next: 'The user signs in again. Store each new refresh token before the old one is forgotten, and send an old one neither later nor from another network. If the application does so, the token was stolen.',
  },
  sign_in_revoked: {
    title: 'Sign-in ended',
    text: 'The tokens of this sign-in were revoked: the user removed the application or signed out everywhere, an admin ended the access, or a token was used twice.',
    next: 'The user signs in again. The audit log says who ended it.',
  },
  sign_in_expired: {
    title: 'Sign-in expired',
    text: 'The sign-in is as old as it can be: 90 days with offline access, otherwise a day.',
    next: 'The user signs in again. Ask for offline_access if the application needs tokens for longer.',
  },
  session_ended: {
    title: 'Session ended',
    text: 'The user signed out, or the session ended. Without offline access the tokens end with it.',
    next: 'The user signs in again. Ask for offline_access if the application has to work without the user.',
  },
  user_disabled: {
    title: 'User disabled',
    text: 'The account of the user is disabled, or will be deleted.',
    next: 'An admin can enable the account on the page of the user. A user who deletes their account can keep it by signing in.',
  },
  consent_gone: {
    title: 'Consent withdrawn',
    text: 'The user no longer agrees to any scope of this sign-in.',
    next: 'Send the user to the authorization endpoint, which asks again.',
  },
  paused: {
    title: 'The user paused the application',
    text: 'The application gets no tokens for this user while it is paused.',
    next: 'Only the user can resume it, at their account or by agreeing to it again.',
  },
  requested_token_type: {
    title: 'Only access tokens can be asked for',
    text: 'requested_token_type of a token exchange is not an access token.',
    next: 'Leave it out.',
  },
  subject_token_missing: {
    title: 'No subject token',
    text: 'The token exchange has no subject_token.',
    next: 'Send the access token of the user that the service was called with.',
  },
  subject_token_type: {
    title: 'Wrong type of subject token',
    text: 'subject_token_type is not that of an access token.',
    next: 'Send urn:ietf:params:oauth:token-type:access_token.',
  },
  actor_token_type: {
    title: 'Wrong type of actor token',
    text: 'actor_token_type is not that of an access token, or came without actor_token.',
    next: 'Send urn:ietf:params:oauth:token-type:access_token together with actor_token.',
  },
  subject_token: {
    title: 'Subject token is not valid',
    text: 'The subject token of a token exchange is not an access token of a user that is still valid here. It has expired, was revoked, or nothing of it is still granted.',
    next: 'Exchange the token while the request that brought it is being answered.',
  },
  subject_audience: {
    title: 'Subject token is for another API',
    text: 'An application can exchange tokens for an API only if it is an introspector of that API.',
    next: 'Add it on the page of the API.',
  },
  actor_token: {
    title: 'Actor token is not valid',
    text: 'The actor token of a token exchange is not a valid token of the application itself.',
    next: 'Get one with client_credentials, or leave it out.',
  },
  exchange_cycle: {
    title: 'Token exchange in a circle',
    text: 'The subject token came through this application already. An application can stand in a chain once.',
    next: 'Pass the first token on, or call the API with the token of the application itself.',
  },
  exchange_depth: {
    title: 'Too many token exchanges in a row',
    text: 'The token was exchanged as often as it can be.',
    next: 'Make the chain of services shorter.',
  },
  access_token_missing: {
    title: 'No access token',
    text: 'The request has no access token.',
    next: 'Send Authorization: Bearer with the token.',
  },
  access_token_in_url: {
    title: 'Access token in the URL',
    text: 'The access token was sent in the URL, where logs keep it.',
    next: 'Send it in the Authorization header.',
  },
  access_token_repeated: {
    title: 'Two access tokens',
    text: 'The request has several Authorization headers, or a token in the header and in the form.',
    next: 'Send the token once.',
  },
  access_token_malformed: {
    title: 'Access token cannot be read',
    text: 'The Authorization header is not Bearer with a token.',
    next: 'Send Authorization: Bearer, a space and the token.',
  },
  access_token_invalid: {
    title: 'Not an access token of this portal',
    text: 'The portal did not issue this token, or it is no access token.',
    next: 'Send the access token, not the ID token or the refresh token.',
  },
  access_token_expired: {
    title: 'Access token expired',
    text: 'The access token is older than its life.',
    next: 'Refresh it. This is no mistake.',
  },
  access_token_ended: {
    title: 'Access token no longer valid',
    text: 'The token was revoked, its sign-in has ended, it belongs to no user, or its application is disabled.',
    next: 'The user signs in again. A token from client_credentials has no user.',
  },
  openid_missing: {
    title: 'The scope openid is missing',
    text: 'Userinfo was asked for with a token that lacks the scope openid.',
    next: 'Ask for openid when the user signs in.',
  },
  logout_client_missing: {
    title: 'Sign-out without a client',
    text: 'post_logout_redirect_uri was sent without id_token_hint and client_id.',
    next: 'Send one of them.',
  },
  logout_redirect_uri: {
    title: 'Sign-out URI is not registered',
    text: 'post_logout_redirect_uri is not the same as a registered one, character by character.',
    next: 'If it is yours, add it in the settings.',
  },
  registration_off: {
    title: 'Registration is off',
    text: 'Applications cannot register themselves here.',
    next: 'Register the application on the pages, or turn on client registration in the settings.',
  },
  registration_full: {
    title: 'Too many registered applications',
    text: 'As many applications as allowed have registered themselves.',
    next: 'Delete those that nobody uses, or raise the limit in the settings.',
  },
  registration_conflict: {
    title: 'Registration changed at the same time',
    text: 'Another request changed the registration at the same time.',
    next: 'Try again.',
  },
  registration_token: {
    title: 'Wrong registration access token',
    text: 'The token is not the one of this registration, or the application is disabled.',
    next: 'Use the registration_access_token of the registration. If it is lost, register again.',
  },
  initial_token: {
    title: 'No valid initial access token',
    text: 'A registration needs an initial access token, and this one is missing, expired, revoked or used up.',
    next: 'Create one in the settings of client registration.',
  },
  metadata_malformed: {
    title: 'Metadata is not a JSON object',
    text: 'The registration or the metadata document is not a JSON object.',
    next: 'Send one JSON object with the members of RFC 7591.',
  },
  metadata_refused: {
    title: 'Metadata not allowed',
    text: 'A member of the metadata is not allowed. The description names it.',
    next: 'Correct that member, or leave it out. The settings of client registration say what is allowed.',
  },
  statement_missing: {
    title: 'No software statement',
    text: 'Registrations need a software statement here.',
    next: 'Send software_statement, or turn the requirement off in the settings.',
  },
  statement_invalid: {
    title: 'Software statement is not valid',
    text: 'The software statement is no JWT, has expired, or its signature is wrong.',
    next: 'Get a new one from whoever signs them.',
  },
  statement_keys: {
    title: 'Keys of the issuer could not be fetched',
    text: 'The keys of the issuer of the software statement did not answer.',
    next: 'Check the address of the keys in the settings, and whether this portal can reach it.',
  },
  statement_issuer: {
    title: 'Issuer of the software statement is not trusted',
    text: 'Nobody who is trusted here signed the software statement.',
    next: 'List the issuer in the settings of client registration, if you trust it.',
  },
  documents_off: {
    title: 'Metadata documents are off',
    text: 'The client ID is an address, and client ID metadata documents are not accepted here.',
    next: 'Turn them on in the settings of client registration, or register the application.',
  },
  document_address: {
    title: 'Not an address of a metadata document',
    text: 'The client ID has no path, has a fragment or credentials, or is written in another way than a browser would.',
    next: 'Use a plain https address with a path.',
  },
  document_host: {
    title: 'Host not accepted',
    text: 'Applications of this host are not accepted here.',
    next: 'List the host in the settings of client registration, if you trust it.',
  },
  document_unreadable: {
    title: 'Metadata document cannot be read',
    text: 'The address does not answer with a JSON document, or leads to a private network.',
    next: 'Serve the document at the client ID itself, as JSON, with status 200 and without a redirect.',
  },
  document_away: {
    title: 'Host of the metadata document does not answer',
    text: 'The host did not answer, answered with an error, or was too slow.',
    next: 'Try again later. Check whether this portal can reach the host.',
  },
  document_mismatch: {
    title: 'Metadata document of another client',
    text: 'The document does not name its own address as client_id, or contains a secret.',
    next: 'Set client_id to the address of the document, and leave out every secret.',
  },
  document_redirect_uri: {
    title: 'Redirect URI is not in the document',
    text: 'The redirect URI of the request is not one of the metadata document.',
    next: 'Add it to redirect_uris of the document.',
  },
  document_deleted: {
    title: 'Application was deleted',
    text: 'An admin deleted this application, so its document does not bring it back.',
    next: 'Create the application on the pages, if it is wanted again.',
  },
  request_refused: {
    title: 'Request refused',
    text: 'The authorization request has a mistake. The description names it.',
    next: 'Correct what the description names.',
  },
})
