import { english } from '../translation'

/** Words about signing in through another provider. */
export const upstream = english({
  or: 'or',
  ways: 'Other ways to sign in',
  continueWith: 'Continue with {provider}',
  leaving: 'Going to {provider}…',
  leaveTitle: 'Continue to {provider}',
  leaveText:
    'Sign in at {provider}. After that, you come back here. If nothing happens, use the button.',
  leaveLink: 'Go to {provider}',
  someProvider: 'the other provider',
  problem: 'You’re not signed in',
  notDone: 'Nothing was changed',
  problems: {
    unavailable:
      '{provider} can’t be reached right now. Try again in a few minutes, or sign in another way.',
    cancelled: 'You cancelled the sign-in at {provider}. Try again, or sign in another way.',
    failed:
      'The response of {provider} is not valid, so we stopped. Try again. If the problem continues, tell the people who run this portal.',
    expired:
      'It took too long, was already finished, or was started in another browser. Please start again.',
    unknown:
      'No account here is connected to this {provider} account. If you have an account here, sign in another way. If not, ask the people who run this portal.',
    address_taken:
      'An account with this email address already exists. Sign in to it first, then connect {provider} under Security.',
    slow_down: 'Too many attempts. Please wait a few minutes, then try again.',
    identity_taken:
      'This {provider} account is connected to another account here. Disconnect it there first, or choose a different one at {provider}.',
    not_you: 'This is not the {provider} account that is connected here. Please try again.',
    not_fresh:
      '{provider} did not confirm that you signed in there just now. Sign out at {provider} and try again, or use another method. If you have no password, you can get a link to set one.',
    cannot_say:
      '{provider} can’t confirm when you signed in there. Use another method. If you have no password, you can get a link to set one.',
  },
  silent:
    'The application needs a new sign-in, and {providers} can’t confirm one. Use your password or a passkey. If you have no password, get a link to set one.',
  choosePassword: 'Get a link to set a password',
  security: {
    title: 'Connected accounts',
    text: 'Accounts at other providers that you use to sign in here.',
    none: 'None yet.',
    connected: 'Connected {when}',
    used: 'Last used {when}',
    neverUsed: 'Not used yet',
    notUsable: 'This portal no longer uses this provider',
    connect: 'Connect an account',
    disconnect: 'Disconnect',
    disconnectNamed: 'Disconnect {name}',
    disconnecting: 'Disconnecting…',
    disconnectText:
      'You can no longer sign in here with {name}. Your account at {name} is not changed.',
    disconnectConfirm: 'Disconnect this account',
    lastWay:
      'This is your only sign-in method. Set a password or connect another account first. Then you can disconnect this one.',
  },
  connect: {
    title: 'Connect an account',
    intro:
      'Choose a provider and sign in there. After that, you can sign in here with that account.',
    nowhere: 'This portal has no other providers.',
  },
  confirm: {
    again: 'Sign in again with {provider}',
    intro: 'You have no password here. Confirm with the account that you use to sign in.',
    silent: '{providers} can’t confirm when you signed in there.',
    none: 'You have no other way to confirm that it’s you. Get a link to set a password, sign in with the password, then come back.',
    askForHelp:
      'You have no other way to confirm that it’s you. Ask the people who run this portal for help.',
  },
})
