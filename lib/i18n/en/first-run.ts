import { english } from '../translation'

/** The steps between the set-up link and the first look at the administration. */
export const firstRun = english({
  step: 'Step {at} of {all}',
  next: 'Continue',
  or: 'or',
  passkey: 'Use a passkey instead of a password',
  passkeyWaiting: 'Waiting for your device…',
  passkeyWrong: 'The passkey could not be used. Reload the page and try again.',
  protect: {
    title: 'Protect your account',
    intro:
      'You own this portal, so your account deserves a second factor. It takes less than a minute. You can also do it later.',
    passkey: 'Create a passkey',
    waiting: 'Waiting for your device…',
    app: 'Use an authenticator app',
    skip: 'Not now',
  },
  check: {
    title: 'Is everything ready?',
    intro:
      'The portal checked its address, its mail and its clock. You can correct what is missing now or later: the overview shows it until it is done.',
  },
  start: {
    title: 'How do you want to start?',
    intro: 'You can change and delete everything later.',
    empty: 'With an empty portal',
    emptyText: 'The overview leads you to your first API, application and token.',
    emptyGo: 'Start empty',
    sample: 'With a sample shop',
    sampleText:
      'One API with three permissions, two roles, a web application and a machine application. No user and no secret is created.',
    sampleGo: 'Load the sample shop',
    sampleGoing: 'Loading…',
    import: 'With a configuration of your own',
    importText: 'Paste or upload a configuration document. You see every change before it is made.',
    importGo: 'Import a configuration',
  },
  awaits: {
    title: 'This portal has no owner yet',
    text: 'Nobody can sign in before the first account exists. The link that creates it is in the output of the server, in the line after “Create the first admin”.',
    again:
      'The link works once, for 15 minutes. For a new one, start the portal again, or run this command on the server:',
  },
})
