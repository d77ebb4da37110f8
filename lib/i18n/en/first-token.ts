import { english } from '../translation'

/** The last of the first steps. */
export const firstToken = english({
  title: 'Get a token',
  intro:
    'Choose a machine application and permissions. You see the command that requests a token, and the token that it got.',
  back: 'First steps',
  application: 'Application',
  applicationHint: 'It gets a new secret for this command. The secret expires in one day.',
  permissions: 'Permissions',
  permissionsHint: 'The application is granted those that it does not hold yet.',
  submit: 'Get a token',
  submitting: 'Requesting…',
  tickFirst: 'Choose at least one permission.',
  noApplication: 'You need a machine application and an API with a permission first.',
  secretName: 'First token',
  made: 'This is a token',
  madeText: 'The command below fetched it. Run it again at any time within one day.',
  command: 'The command',
  answer: 'The answer',
  refused: 'The request was refused',
  inspect: 'Explain this token',
  finish: 'Go to the overview',
})
