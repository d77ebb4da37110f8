import { english } from '../translation'
import { conditionFaults } from './condition-faults'

export const conditions = english({
  label: 'Condition',
  hint: 'It applies only while this condition is true. If empty, it always applies.',
  fine: 'This condition is valid.',
  faults: conditionFaults,
  place: 'Position of the error:',
  help: 'Examples and variables',
  insert: 'Insert',
  insertNamed: 'Insert the example: {name}',
  examplesTitle: 'Examples',
  variablesTitle: 'Variables',
  language:
    'Conditions are written in CEL. If a condition reads a value that is missing, access is refused.',
  examples: {
    network: 'From the office network only',
    hours: 'During office hours',
    login: 'Signed in with a second factor in the last five minutes',
    attribute: 'By an attribute of the user',
    resource: 'Not for archived objects',
    exchange: 'A token exchange that began at an application of ours',
    authzen: 'Only admins may delete',
  },
  variables: {
    'request.ip': 'The IP address of the request',
    'request.time': 'The time of the request',
    'request.user_agent': 'The user agent of the request',
    'request.grant_type': 'The grant type of the token request, such as client_credentials',
    'request.exchange':
      'Of a token exchange: from, first, depth, scope, audience and registration of the subject token',
    'request.context': 'The context that the caller of a check sends',
    'user.id': 'The ID of the user',
    'user.department': 'An attribute of the user, by its name',
    'auth.acr': 'The strength of the sign-in: atLeast(auth.acr, "mfa")',
    'auth.amr': 'The sign-in methods, as a list',
    'auth.age': 'Seconds since the sign-in',
    'client.id': 'The client ID of the application or access key',
    'client.application_id': 'The ID of the application, also for its access keys',
    'resource.audience': 'The API that the token is for',
    'resource.scope': 'The permission',
    'resource.id': 'The ID of the resource instance of a check',
    'resource.properties': 'The properties of the resource that the caller of a check sends',
    'subject.properties': 'The properties of the user that the caller of a check sends',
    'action.name': 'The action of a check',
  },
})
