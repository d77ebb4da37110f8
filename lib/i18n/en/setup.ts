import { english } from '../translation'

export const setup = english({
  title: 'Set up this portal',
  intro: 'Create the first account. It will own the portal and can invite everyone else.',
  name: 'Your name',
  email: 'Email',
  emailHint: 'You’ll sign in with it.',
  password: 'Password',
  submit: 'Create the account',
  submitting: 'Creating the account…',
  linkClosed:
    'This set-up link has expired or was already used. Run npm start again to get a new one.',
  nameMissing: 'Enter your name.',
  nameLong: 'Use at most 100 characters for your name.',
  emailMissing: 'Enter your email address.',
  emailWrong: 'Enter an email address such as name@example.org.',
  closedTitle: 'This set-up link doesn’t work any more',
  closed: 'It has expired or was already used. Start the portal again and it prints a new link:',
  closedHint: 'If someone has already set up the portal, you can simply sign in.',
})
