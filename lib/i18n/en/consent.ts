import { english } from '../translation'

export const consent = english({
  pageTitle: 'Allow access',
  title: '{app} wants access',
  notYou: 'Not you?',
  publisher: 'Publisher',
  publisherUnknown: 'not specified',
  verified: 'Verified',
  verifiedText: 'An admin of this portal checked who it is.',
  unverified: 'Not verified',
  unverifiedText: 'Nobody has checked who it is. Continue only if you know the application.',
  selfRegistered: {
    dynamic:
      'This application registered itself. Nobody here has checked who it is. Continue only if you started this.',
    metadata_document:
      'This application describes itself at {host}. Nobody here has checked who it is. Continue only if you started this.',
  },
  goingTo: 'Continues to',
  device: 'the device that shows the code',
  signedInAs: 'Signed in as',
  sensitive: 'Sensitive',
  sensitiveText: 'The owner of the API marked this as sensitive. Allow it only if you need it.',
  exactly: 'What exactly?',
  permission: 'Permission',
  api: 'API',
  known: 'You already allowed these ({count})',
  needsProof: 'Needs a second factor',
  proveNow: 'Use a second factor now',
  proveLater:
    'Set up a second factor under Security in your account. Then start again from the application.',
  lacking: 'Not included: you don’t have these',
  askForThis: 'Ask for this',
  keptOutTitle: 'You can’t use {app} yet',
  keptOut:
    'It needs permissions that you don’t have. Ask for them here. When they are approved, come back and continue.',
  missing: 'You don’t have these',
  goOn: 'Continue',
  back: 'Back to the application',
  policy: 'Privacy policy',
  terms: 'Terms of service',
  signIn: 'To sign you in',
  signInScopes: {
    openid: 'Know who you are',
    profile: 'See your name and profile',
    email: 'See your email address',
    address: 'See your postal address',
    phone: 'See your phone number',
    groups: 'See which groups you belong to',
    roles: 'See which roles you have',
    offline_access: 'Keep access when you’re away',
  },
  others: 'In {api}',
  required: 'Required by the application',
  remembered:
    'We remember your choice. You can change it at any time under Applications in your account.',
  askedEveryTime:
    'You are asked every time, because another program on your device could pretend to be this application.',
  askedForChanges: 'For this reason you are asked every time.',
  unconfirmed: 'It can then make changes to this portal without asking you again.',
  askedForDevice: 'You are asked each time a device wants to sign in with your account.',
  allow: 'Allow',
  allowing: 'Allowing…',
  cancel: 'Cancel',
  expiredTitle: 'This request has expired',
  expired:
    'The request was already answered, or it took too long. Go back to the application and start again.',
})
