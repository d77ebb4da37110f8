import { english } from '../translation'

/**
 * Sentences of fields that say more than the general one: `{field of the form}.{code}`. A test
 * checks that each code exists.
 */
export const ownErrorMessages = english({
  api: {
    'name.required': 'Give the API a name.',
    'prefix.required': 'Give the API a prefix, such as orders.',
    'audience.required': 'Enter the audience, such as https://orders.example.com.',
    'audience.url_needed': 'Enter an address, such as https://orders.example.com or urn:orders.',
    'tokenSeconds.too_small': 'At least {minimum} seconds.',
    'tokenSeconds.too_big': 'At most {maximum} seconds.',
  },
  permission: { 'key.required': 'Give the permission a name, such as orders:read.' },
  role: {
    'name.required': 'Give the role a name.',
    'key.required': 'Give the role a key, such as support.',
  },
  group: {
    'name.required': 'Give the group a name.',
    'key.required': 'Give the group a key, such as support.',
  },
  space: {
    'name.required': 'Give the space a name.',
    'key.required': 'Give the space a key, such as shop.',
  },
  application: {
    'name.required': 'Give the application a name.',
    'grantTypes.choose': 'Choose at least one grant type.',
    'assertionSeconds.too_small': 'At least {minimum} seconds.',
    'assertionSeconds.too_big': 'At most {maximum} seconds.',
    'defaultMaxAge.too_small': 'At least {minimum} seconds.',
    'defaultMaxAge.too_big': 'At most {maximum} seconds.',
  },
  credential: {
    'name.required': 'Give the access key a name.',
    'tokenSeconds.too_small': 'At least {minimum} seconds.',
    'tokenSeconds.too_big': 'At most {maximum} seconds.',
  },
  grant: {
    'pattern.required': 'Enter a permission, such as orders:read, or a pattern, such as orders:*.',
  },
  claim: { 'in.choose': 'Choose the tokens that contain it.' },
  webhook: {
    'name.required': 'Give the webhook a name.',
    'url.required': 'Enter the address that receives the events.',
    'events.choose': 'Enter at least one event, such as user.created.',
    'overlap.too_small': 'At least {minimum} hours.',
    'overlap.too_big': 'At most {maximum} hours.',
  },
  assertion: {
    'subject.required': 'Enter a user or a client.',
    'permission.required': 'Enter a permission, such as orders:read.',
  },
  view: { 'name.required': 'Give the view a name.' },
  testLogin: {
    'client.required': 'Enter the client ID of an application.',
  },
  security: {
    'passwordLength.too_small': 'At least {minimum} characters.',
    'passwordLength.too_big': 'At most {maximum} characters.',
    'passwordLengthWithFactor.too_small': 'At least {minimum} characters.',
    'passwordLengthWithFactor.too_big': 'At most {maximum} characters.',
    'sessionIdleMinutes.too_small': 'At least {minimum} minutes.',
    'sessionIdleMinutes.too_big': 'At most {maximum} minutes.',
    'sessionHours.too_small': 'At least one hour.',
    'sessionHours.too_big': 'At most {maximum} hours.',
    'confirmMinutes.too_small': 'At least one minute.',
    'confirmMinutes.too_big': 'At most {maximum} minutes.',
    'clientRequestsPerMinute.too_small': 'At least {minimum} requests.',
    'clientRequestsPerMinute.too_big': 'At most {maximum} requests.',
    'decisionDays.too_small': 'At least {minimum} days.',
    'decisionDays.too_big': 'At most {maximum} days.',
  },
  portal: {
    'name.required': 'Give the portal a name.',
    'offered.choose': 'Offer at least one language.',
    'server.required': 'Enter the address of the mail server.',
    'from.required': 'Enter the address that sends the mail.',
  },
  provider: {
    'id.provider_shape':
      'Give the provider an ID: 1 to 32 lower-case letters, digits or hyphens, and not “new”.',
    'name.required': 'Give the provider a name.',
    'clientId.required': 'Enter the client ID that the provider gave you.',
    'issuer.required': 'Enter the issuer, such as https://id.example.com.',
    'tenant.required': 'Enter the ID of your directory.',
  },
  attribute: {
    'key.required': 'Give the attribute a key, such as department.',
    'name.required': 'Give the attribute a name.',
  },
})
