import { english } from '../translation'

export const registration = english({
  title: 'Client registration',
  intro:
    'Applications can register themselves, without an admin (RFC 7591). Users see on the consent page that nobody has checked them.',
  mode: 'Who can register',
  modes: {
    off: 'Nobody: admins create applications',
    token: 'Whoever has an initial access token',
    open: 'Anybody, within the limits below',
  },
  allowed: 'What they can do',
  allowedText:
    'This applies to new registrations and changes. Applications that are registered already keep what they have; you can change each of them.',
  scopes: 'Scopes',
  scopesHint:
    'One per line. Permissions of APIs are granted to each application that registers. You can list only what you could grant yourself.',
  redirectHosts: 'Hosts of redirect URIs',
  redirectHostsHint:
    'One per line, such as app.example.com or *.example.com. Empty: every public host. Hosts of private networks must be listed.',
  grantTypes: 'Grant types',
  requirePkce: 'Require PKCE from applications with a secret too',
  requirePkceHint: 'Applications without a secret always need it.',
  assertionAudience: 'Audience of client assertions',
  assertionAudiences: {
    issuer: 'The issuer only',
    token_endpoint: 'Also the token endpoint, for older clients',
    endpoint: 'Also the endpoint that is called, for older clients',
  },
  limits: 'Limits',
  unusedDays: 'Delete applications that nobody uses for (days)',
  unusedDaysHint:
    '1 to 365. Users have to allow them again afterwards. One that was never used is deleted after a day, or after an hour if a document describes it.',
  most: 'Most applications that registered themselves',
  mostHint:
    '1 to 100,000, for each way to register. If there are so many, the oldest that was never used makes room.',
  perNetwork: 'Registrations from one network in 15 minutes',
  perNetworkHint: '1 to 1,000, without an initial access token.',
  statements: 'Software statements',
  statementsText:
    'A software statement is signed by somebody you trust. What it says replaces what the application says of itself.',
  softwareIssuers: 'Trusted issuers',
  softwareIssuersHint:
    'One per line: the issuer, a space, and the https address of its keys (JWK Set).',
  softwareIssuersWrong: 'Write the issuer, a space and the address of its keys on each line.',
  requireStatement: 'Require a software statement',
  documentsTitle: 'Client ID metadata documents',
  documentsText:
    'The client ID of an application can be an https address. The portal reads the document there, with the limits above, when a user first signs in. The application needs no registration. If you turn this off or refuse a host, such applications stop at once, and so do their tokens. They work again if you accept them again.',
  documents: 'Accept applications that a metadata document describes',
  documentHosts: 'Accepted hosts',
  documentHostsHint:
    'One per line, such as app.example.com or *.example.com. Empty: every public host.',
  documentDenied: 'Refused hosts',
  documentDeniedHint: 'One per line. They are refused even if they are accepted above.',
  tokens: 'Initial access tokens',
  tokensText:
    'Give one to somebody who registers an application. It works until it has been used as often as you say, or until it ends.',
  noTokens: 'There are no initial access tokens.',
  uses: 'Used {uses} of {most} times',
  newToken: 'Create an initial access token',
  tokenName: 'Name',
  tokenNameHint: 'Who gets it, or what it is for.',
  mostUses: 'How many applications it can register',
  mostUsesHint: '1 to 10,000.',
  expiry: 'Valid for',
  days: { '1': 'One day', '7': 'One week', '30': '30 days', '90': '90 days' },
  tokenMade: 'The initial access token was created',
  token: 'Initial access token',
  endpoint: 'Registration endpoint',
  revoke: 'Revoke',
  revokeNamed: 'Revoke {name}',
  revoking: 'Revoking…',
  revokeText: 'Nobody can register with it any more. Applications that used it stay.',
  done: { tokenRevoked: 'The initial access token was revoked.' },
})
