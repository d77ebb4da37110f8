import { english } from '../translation'

/** Words about signing in through another provider. */
export const upstream = english({
  or: 'or',
  ways: 'Other ways to sign in',
  continueWith: 'Continue with {provider}',
  leaving: 'Going to {provider}…',
  leaveTitle: 'On to {provider}',
  leaveText: 'Sign in there, and you come straight back. If nothing happens, use the button.',
  leaveLink: 'Go to {provider}',
  someProvider: 'the other provider',
  problem: 'You’re not signed in',
  notDone: 'Nothing was changed',
  problems: {
    unavailable:
      '{provider} can’t be reached right now. Try again in a few minutes, or use another way.',
    cancelled: 'You cancelled at {provider}. Try again, or use another way.',
    failed:
      '{provider} sent an answer we can’t trust, so we stopped. Try again. If it keeps happening, tell the people who run this portal.',
    expired:
      'That took too long, was finished already, or began in another browser. Please start again.',
    unknown:
      'There’s no account here for this {provider} account. If you have an account, sign in to it another way; if not, ask the people who run this portal.',
    address_taken:
      'An account with this address exists. Sign in to it first, then connect {provider} under Security.',
    slow_down: 'Too many attempts. Please wait a few minutes, then try again.',
    identity_taken:
      'This {provider} account is connected to another account here. Disconnect it there first, or choose a different one at {provider}.',
    not_you: 'That wasn’t the {provider} account connected here. Please try again.',
    not_fresh:
      '{provider} didn’t tell us that you signed in there just now, so that doesn’t count. Sign out at {provider} and try again, or use another way. If you have no password, you can choose one by mail.',
    cannot_say:
      '{provider} can’t tell us when you signed in there, so it doesn’t count here. Use another way. If you have no password, you can choose one by mail.',
  },
  silent:
    'The app wants you to prove now that it’s you. {providers} can’t tell us that. Use your password or a passkey. If you have no password, choose one by mail.',
  choosePassword: 'Choose a password by mail',
  security: {
    title: 'Connected accounts',
    text: 'Accounts elsewhere that sign you in here.',
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
      'You can’t sign in here with {name} any more. Your account at {name} itself stays as it is.',
    disconnectConfirm: 'Disconnect this account',
    lastWay:
      'This is your only way to sign in. Set a password or connect another account first, then you can disconnect this one.',
  },
  connect: {
    title: 'Connect an account',
    intro: 'Choose where, and sign in there. From then on, that account signs you in here too.',
    nowhere: 'This portal has no other providers to connect to.',
  },
  confirm: {
    again: 'Sign in again with {provider}',
    intro: 'You have no password here, so confirm with the account you sign in with.',
    silent: '{providers} can’t tell us when you signed in there, so it doesn’t count here.',
    none: 'You have no other way yet to confirm that it’s you. Choose a password by mail and sign in with it. Then come back.',
    askForHelp:
      'You have no other way yet to confirm that it’s you. Ask the people who run this portal for help.',
  },
})
