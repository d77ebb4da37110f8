import { english } from '../translation'

export const setup = english({
  title: 'Set up this portal',
  intro: 'Create the first account. It is the owner of the portal and can invite other users.',
  name: 'Your name',
  email: 'Email',
  emailHint: 'You use it to sign in.',
  password: 'Password',
  submit: 'Create the account',
  submitting: 'Creating the account…',
  linkClosed:
    'This set-up link has expired or was already used. Run npm start again to get a new one.',
  nameMissing: 'Enter your name.',
  nameLong: 'Use at most 100 characters for your name.',
  emailMissing: 'Enter your email address.',
  emailWrong: 'Enter an email address such as name@example.org.',
  closedTitle: 'This set-up link no longer works',
  closed: 'It has expired or was already used. Start the portal again to get a new link:',
  closedHint: 'If the portal is already set up, sign in.',
})
