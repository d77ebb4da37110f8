import { english } from '../translation'

export const applications = english({
  title: 'Applications',
  intro: 'Applications sign in users through this portal, or call APIs on their own behalf.',
  new: 'Create an application',
  name: 'Name',
  kind: 'Type',
  state: 'State',
  publisher: 'Publisher',
  verified: 'verified',
  owner: 'Application owner',
  created: 'Created',
  updated: 'Changed',
  emptyTitle: 'No application yet',
  empty: 'Create an application. Its quick start shows code with the right values filled in.',
  kinds: {
    web: 'Web application',
    spa: 'Single-page application',
    native: 'Native application',
    device: 'Device',
    machine: 'Machine application',
  },
  kindTexts: {
    web: 'Runs on your server and keeps a secret there: Next.js, Express, Django, Rails.',
    spa: 'Runs only in the browser: React, Vue, Angular. It has no secret and uses PKCE.',
    native: 'Runs on a phone, on a desktop or on the command line. It has no secret and uses PKCE.',
    device:
      'Has no browser or no keyboard: a television, a printer, a command line. The user signs in on another device. It has no secret.',
    machine: 'Runs without a user: a job, a service, a script. It gets tokens on its own behalf.',
  },
  tabs: 'Sections of this application',
  tab: {
    overview: 'Overview',
    quickStart: 'Quick start',
    settings: 'Settings',
    credentials: 'Credentials',
    scopes: 'Permissions',
    claims: 'Claims',
    branding: 'Branding',
    consent: 'Consent preview',
    people: 'Users',
    refusals: 'Refusals',
    logs: 'Logs',
    danger: 'Danger zone',
  },
  done: {
    appSaved: 'The application was saved.',
    appEnabled: 'The application is enabled.',
    appDisabled: 'The application is disabled. No more tokens are issued.',
    appDeleted: 'The application was deleted.',
    secretRevoked: 'The secret was revoked.',
    keySaved: 'The access key was saved.',
    keyDeleted: 'The access key was deleted.',
    scopesSaved: 'The permissions were saved.',
    brandingSaved: 'Colours and texts were saved.',
    logoSaved: 'The logo was saved.',
    logoRemoved: 'The logo was removed.',
    personRemoved:
      'The user was removed from this application, and the user’s tokens were revoked.',
  },
  logs: {
    intro:
      'What this application did and what was changed about it: tokens, sign-ins, consents and settings, the newest first.',
    all: 'Filter in the audit log',
    emptyTitle: 'No entries yet',
    empty: 'They appear when the application asks for a token or somebody changes it.',
  },
  wizard: {
    title: 'Create an application',
    which: 'What kind of application is it?',
    whichHint: 'The type decides the security settings. You can’t change it later.',
    api: 'API',
    apiText:
      'A service that accepts tokens. It has no client ID. You name its permissions, then grant them to applications.',
    another: 'Choose another type',
    defaults: 'Default settings',
    defaultTexts: {
      web: 'Users sign in with an authorization code and PKCE. They stay signed in with refresh tokens that change with every use. The application authenticates with a secret.',
      spa: 'Users sign in with an authorization code and PKCE. The application has no secret, because anybody could read it in the browser.',
      native:
        'Users sign in with an authorization code and PKCE, in the system browser. A loopback redirect URI may use any port.',
      device:
        'The device shows a code. The user enters it on a phone or a computer, signs in there and confirms it. The device stays signed in with refresh tokens. It has no secret.',
      machine:
        'The application gets tokens with client credentials. It has no permissions until you grant them.',
    },
    nameHint: 'Users see it on the sign-in and consent pages.',
    publisherHint: 'Who is responsible for it. Users see it on the consent page.',
    originsHint: 'The origins of its pages, such as https://app.example.com. One per line.',
    made: 'The application was created.',
    openQuickStart: 'Open the quick start',
    openScopes: 'Grant permissions',
  },
  uris: {
    redirect: 'Redirect URIs',
    redirectHint:
      'Where users return after they sign in. One per line. The URI must match exactly.',
    postLogout: 'Redirect URIs after signing out',
    postLogoutHint: 'One per line.',
    origins: 'Browser origins',
    originsHint:
      'Origins that may call the token endpoint from a browser. One per line, without a path.',
    fine: 'Valid: {count}',
    faults: {
      long: 'This URI is too long.',
      wildcard: 'Wildcards are not allowed. They would send codes to unknown URIs.',
      fragment: 'Remove the part after #. It never reaches a server.',
      characters: 'Enter a complete URI without spaces, such as https://app.example.com/callback.',
      credentials: 'Remove the username and password before the @. Browsers hide them.',
      insecure: 'Use https. http is allowed only for this machine (localhost, 127.0.0.1 or [::1]).',
      scheme:
        'Use https, http to this machine, or a scheme that is your domain name in reverse order, such as com.example.app:/callback.',
      origin: 'Enter an origin without a path, such as https://app.example.com.',
    },
  },
  overview: {
    identity: 'Identity',
    madeBy: 'Made by',
    registrations: {
      admin: 'An admin',
      dynamic: 'The application itself (client registration)',
      metadata_document: 'The document at its client ID',
    },
    clientId: 'Client ID',
    ownerNone: 'None. Admins manage it.',
    you: 'you',
    space: 'Space',
    activity: 'Activity',
    lastUsed: 'Credentials last used',
    lastUsedFrom: 'from {ip}',
    lastSignIn: 'Last sign-in',
    people: 'Users',
    live: 'Active credentials',
    liveText: 'Secrets: {secrets}, access keys: {keys}',
    log: 'Show in the audit log',
    simulate: 'Try a request in the simulator',
    endpoints: 'Endpoints',
    endpointsText: 'Most libraries need only the issuer and find the other endpoints themselves.',
    issuer: 'Issuer',
    discovery: 'Discovery',
    authorize: 'Authorization',
    token: 'Token',
    userinfo: 'Userinfo',
    jwks: 'Public keys',
    endSession: 'Sign-out',
    deviceAuthorization: 'Device authorization',
    introspection: 'Introspection',
    revocation: 'Revocation',
  },
  quickStart: {
    intro:
      'Sample code with the values of this application, for an empty folder. Copy it, add the secret or the key, and run it.',
    keyHint:
      'The application signs with its own private key, which the portal never sees. Use the key whose public half is registered.',
    secretHint: 'The secret is not shown here. Use the one that you saved, or add a new one.',
    choose: 'Choose your framework',
    install: 'Install',
    file: 'File {name}',
    environment: 'Set in the terminal',
    run: 'Run',
    open: 'Then open {address} in the browser.',
    addRedirect: 'To run this sample, add {uri} to the redirect URIs.',
    addOrigin: 'To run this sample, add {origin} to the browser origins.',
    toSettings: 'Open the settings',
    notRun: 'This sample was not run on our test machine.',
    needs: {
      pkceOff: 'It sends no PKCE. In the settings, under Compatibility, turn off “Require PKCE”.',
      pkceSet:
        'The sample turns on PKCE, which Spring Boot 3 does not send for an application with a secret. If you cannot turn it on there, turn off “Require PKCE” in the settings, under Compatibility.',
      accessTokenType:
        'Spring by itself accepts only access tokens of the type JWT. The sample accepts those of the portal (at+jwt). If you cannot change the API, set “Type of access tokens” in the settings of each application that calls it, under Compatibility.',
      https: 'It accepts only an issuer that starts with https://.',
      oauth2Proxy:
        'oauth2-proxy signs users in. The program at port 8080 is the one that it protects.',
    },
  },
  claims: {
    intro:
      'What this application learns about users. Scopes give the standard claims. Attributes can be added here.',
    title: 'Claims of tokens',
    text: 'Enter the name of a claim for each attribute that the application should get, for example department, or a URL of your own. Leave the others empty.',
    none: 'No user attributes are defined.',
    define: 'Define one',
    claim: 'Claim for “{attribute}”',
    places: { id_token: 'ID token', userinfo: 'Userinfo', access_token: 'Access token' },
    preview: 'Preview',
    previewText:
      'The claims that a sign-in would give now. No token is issued, and the user is not asked.',
    user: 'User',
    userHint: 'A name, email address, username or ID.',
    scope: 'Scopes',
    scopeHint: 'Separated by spaces.',
    show: 'Show the claims',
    unknown: 'There is no preview: check the user and the scopes.',
    refused: 'No token would be issued. Refused: {scopes}',
    left: 'Refused: {scopes}',
  },
  refusals: {
    intro:
      'Why did it not get in? The last twenty requests that were refused, the newest first. The application itself only learns the error code.',
    none: 'Nothing was refused',
    noneText: 'When a request of this application is refused, the reason appears here.',
    when: 'When',
    reference: 'Reference number',
    request: 'Request',
    from: 'From',
    client: 'Access key',
    openSettings: 'Open the settings',
    openEntry: 'Open the audit entry',
    sent: 'Sent',
    registered: 'Registered',
    offer: 'A setting would let this request in',
    offerCaution:
      'Anybody who knows the application ID can send such a request. Change the setting only if you know that your application sent it.',
    take: 'Change the setting',
    taking: 'Changing…',
    offers: {
      noPkce: 'Do not require PKCE.',
      audience: 'Accept as the audience: {audience}.',
      audienceList: 'Accept the audience as a list with one entry.',
      life: 'Accept client assertions that live up to {seconds} seconds.',
    },
    events: {
      'client.refused': 'Client authentication',
      'authorize.foreign_redirect': 'Authorization request',
      'authorize.refused': 'Authorization request',
      'token.refused': 'Token request',
    },
    facts: {
      method: 'Method',
      given: 'Sent',
      accepted: 'Accepted',
      kid: 'Key ID (kid)',
      alg: 'Algorithm (alg)',
      seconds: 'Life in seconds',
      longest: 'At most',
      error: 'Error code',
      description: 'Description',
      scope_rejected: 'Refused scopes',
    },
    reasons: {
      client_unknown: {
        title: 'Unknown application',
        text: 'No enabled application has this client ID. Check the ID in the settings of the client, or enable the application.',
      },
      wrong_secret: {
        title: 'Wrong secret',
        text: 'The secret is not one of this application. Check that it was copied completely, or add a new secret.',
      },
      secret_expired: {
        title: 'Expired secret',
        text: 'The secret has expired. Add a new secret and use it in the application.',
      },
      method_not_allowed: {
        title: 'Authentication method not allowed',
        text: 'The application authenticated with a method that is not selected in its settings.',
      },
      application_disabled: {
        title: 'Application disabled',
        text: 'The application is disabled. Enable it in the danger zone.',
      },
      access_key_unusable: {
        title: 'Access key disabled or expired',
        text: 'The access key is disabled or has expired. Enable it or create a new one.',
      },
      assertion_malformed: {
        title: 'Client assertion is not a valid JWT',
        text: 'The client assertion could not be read as a signed JWT.',
      },
      assertion_keys_missing: {
        title: 'No public keys',
        text: 'The application has no public keys. Add them in its settings.',
      },
      assertion_keys_unreachable: {
        title: 'Public keys could not be fetched',
        text: 'The URL of the public keys did not answer with a JWK set. Check the URL, and whether this portal can reach it.',
      },
      assertion_key_unknown: {
        title: 'Unknown key',
        text: 'None of the public keys has the key ID of the client assertion. Add the key, or use the private key that belongs to a registered one.',
      },
      assertion_algorithm: {
        title: 'Algorithm not supported',
        text: 'The client assertion is signed with an algorithm that is not accepted. Use ES256, PS256, EdDSA or RS256.',
      },
      assertion_signature: {
        title: 'Wrong signature',
        text: 'The signature of the client assertion does not match the public key.',
      },
      assertion_issuer: {
        title: 'Wrong issuer or subject',
        text: 'iss and sub of the client assertion must both be the application ID.',
      },
      assertion_audience: {
        title: 'Wrong audience',
        text: 'aud of the client assertion is not accepted. The signature is right, so the application sent it.',
      },
      assertion_expired: {
        title: 'Client assertion expired',
        text: 'exp of the client assertion is in the past. Check the clock of the application.',
      },
      assertion_life: {
        title: 'Client assertion lives too long',
        text: 'exp of the client assertion is missing or too far in the future.',
      },
      assertion_early: {
        title: 'Client assertion not valid yet',
        text: 'iat or nbf of the client assertion is in the future. Check the clock of the application.',
      },
      assertion_id: {
        title: 'Client assertion without an ID',
        text: 'The client assertion needs jti, a unique ID of at most 256 characters.',
      },
      assertion_replayed: {
        title: 'Client assertion used twice',
        text: 'A client assertion can be used once. The application must make a new one for each request.',
      },
      pkce_missing: {
        title: 'PKCE is missing',
        text: 'The authorization request has no code_challenge, and this application requires PKCE.',
      },
      redirect_uri: {
        title: 'Redirect URI is not registered',
        text: 'The redirect URI must be the same as a registered one, character by character. If it is yours, add it in the settings.',
      },
      code_unknown: {
        title: 'Unknown authorization code',
        text: 'The code does not exist, or it was issued to another application.',
      },
      code_redirect_uri: {
        title: 'Redirect URI differs from the authorization request',
        text: 'The token request must repeat the redirect_uri of the authorization request.',
      },
      code_verifier: {
        title: 'Wrong PKCE verifier',
        text: 'code_verifier does not match the code_challenge of the authorization request, or one of them is missing.',
      },
      paused: {
        title: 'The user paused the application',
        text: 'The application gets no tokens for this user until they resume it at their account, or agree to it again.',
      },
      subject_token: {
        title: 'Subject token is not valid',
        text: 'The subject token of a token exchange must be an access token of a user that is still valid here. It has expired, was revoked, or nothing of it is still granted.',
      },
      subject_audience: {
        title: 'Subject token is for another API',
        text: 'An application can exchange tokens for an API only if it is an introspector of that API. Add it on the page of the API.',
      },
      actor_token: {
        title: 'Actor token is not valid',
        text: 'The actor token of a token exchange must be a valid token of the application itself, from client_credentials.',
      },
      exchange_cycle: {
        title: 'Token exchange in a circle',
        text: 'The subject token came through this application already. An application can stand in a chain once.',
      },
      exchange_depth: {
        title: 'Too many token exchanges in a row',
        text: 'The token was exchanged as often as it can be. Make the chain of services shorter.',
      },
      request_refused: {
        title: 'Request refused',
        text: 'The authorization request has a mistake. The description names it.',
      },
    },
  },
  settings: {
    general: 'General',
    verified: 'The publisher is verified',
    verifiedHint:
      'Tick it after you checked who the publisher is. The consent page says so. If the owner of the application changes its name, publisher or redirect URIs, the mark is removed.',
    policy: 'Privacy policy',
    tos: 'Terms of service',
    httpsHint: 'An https URL. Users see it on the consent page.',
    ownerHint:
      'The user who manages it, by name, email address or ID. If empty, only admins manage it.',
    spaceHint: 'The space that it belongs to.',
    spaceNone: 'None',
    addresses: 'URIs',
    backchannel: 'Back-channel logout URI',
    backchannelHint: 'We send a signed logout token to this URI when a user signs out.',
    security: 'Tokens and security',
    idTokenAlg: 'Signature algorithm of ID tokens',
    accessTokenAlg: 'Signature algorithm of access tokens',
    algHint: 'Every library supports RS256. ES256 is shorter and faster.',
    auth: 'Client authentication',
    authMethods: {
      client_secret_basic: 'Secret in the Authorization header (client_secret_basic)',
      client_secret_post: 'Secret in the request body (client_secret_post)',
      private_key_jwt: 'JWT signed with its private key (private_key_jwt)',
      none: 'None, for applications that can’t keep a secret (none)',
    },
    flags: {
      requirePkce: {
        label: 'Require PKCE',
        hint: 'Turn it off only for an older library that does not support it. Then a stolen authorization code is protected by the client secret alone. Applications without a secret always need PKCE.',
      },
      assertionAudienceList: {
        label: 'Accept the audience of a client assertion as a list with one entry',
        hint: 'Some libraries write "aud": ["…"]. The standard allows one string only, so that an assertion can’t name several servers.',
      },
      audienceParameter: {
        label: 'Accept the parameter audience instead of resource',
        hint: 'Some libraries name the API with audience. The standard parameter is resource (RFC 8707).',
      },
      profileInIdToken: {
        label: 'Put profile claims into ID tokens',
        hint: 'For applications that don’t call the userinfo endpoint. ID tokens get longer, and what they contain is not updated until the next sign-in.',
      },
      strictScopes: {
        label: 'Strict scopes',
        hint: 'If one scope is refused, the whole request is refused. Otherwise the other scopes are granted, and the response lists the refused ones.',
      },
      mayImpersonate: {
        label: 'Token exchange without naming itself',
        hint: 'Without an actor token, exchanged tokens have no act claim, so APIs see only the user. The audit log always names the application. Leave it off unless an API can’t read act.',
      },
    },
    compatibility: 'Compatibility',
    compatibilityText:
      'Each of these settings is safe as it is. Change one only if a library needs it.',
    accessTokenType: 'Type of access tokens (typ)',
    accessTokenTypeHint:
      'Choose JWT only for a library that does not know at+jwt. Then an API that checks no more than the signature could take an ID token for an access token.',
    assertionAudience: 'Audience of client assertions (aud)',
    assertionAudienceHint:
      'For private_key_jwt. With another audience than the issuer, another server that your application talks to could pass the assertion on to us.',
    assertionAudiences: {
      issuer: 'Only the issuer (recommended)',
      token_endpoint: 'The issuer or the token endpoint',
      endpoint: 'The issuer, the token endpoint or the endpoint that is called',
    },
    assertionSeconds: 'Longest life of client assertions, in seconds',
    assertionSecondsHint:
      'For private_key_jwt: 60 to 3600. A stolen assertion that was not used can be used for as long.',
    weakenings: {
      no_pkce: 'PKCE is not required.',
      plain_jwt: 'Access tokens have the type JWT.',
      assertion_audience: 'Client assertions may name another audience than the issuer.',
      assertion_list: 'The audience of client assertions may be a list.',
      assertion_life: 'Client assertions may live longer than five minutes.',
    },
    weakened: 'This application is less safe than with the recommended settings.',
    grants: 'Grant types',
    grantTypes: {
      authorization_code: 'Users sign in (authorization_code)',
      refresh_token: 'Users stay signed in (refresh_token)',
      client_credentials: 'On its own behalf (client_credentials)',
      'urn:ietf:params:oauth:grant-type:device_code':
        'Users sign in on another device (device_code)',
      'urn:ietf:params:oauth:grant-type:token-exchange':
        'Passes on what users sent it (token-exchange)',
    },
    grantTypesShort: {
      client_credentials: 'Machine applications',
      authorization_code: 'Sign-ins to applications',
      refresh_token: 'Renewed',
      'urn:ietf:params:oauth:grant-type:device_code': 'Devices',
      'urn:ietf:params:oauth:grant-type:token-exchange': 'Exchanged',
    },
    jwks: 'Public keys',
    jwksHint: 'For private_key_jwt: a JWK set, {"keys": […]}, with public keys only.',
    jwksWrong: 'Enter a JWK set: {"keys": […]}.',
    jwksUri: 'URL of the public keys',
    jwksUriHint: 'For private_key_jwt: the https URL of a JWK set.',
    scopeRules: 'Scopes',
    required: 'Required scopes',
    requiredHint: 'Users can’t deselect them. One per line.',
    default: 'Default scopes',
    defaultHint: 'Used when a request names no scopes. One per line.',
    scopeLimit: 'Limit of scopes',
    scopeLimitHint:
      'The application gets no other scopes, whatever it holds. Applications that register themselves have a limit. Empty: no limit.',
  },
})
