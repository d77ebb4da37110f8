import { english } from '../translation'

export const front = english({
  headline: 'Sign in once, for everything behind this gate.',
  about: '{name} keeps your account and tells each app who you are and what you may do there.',
  signIn: 'Sign in',
  discovery: 'Discovery document',
  docs: 'API reference',
  version: 'Version {version}',
  hello: 'Hello, {name}.',
  helloStranger: 'Hello.',
  signedIn: 'You’re signed in. Apps that use this portal will let you through.',
  account: 'Your account',
  manage: 'Manage your account',
  name: 'Name',
  email: 'Email',
  since: 'Signed in',
  notGiven: 'Not given',
  administers: 'You administer this portal.',
  signOut: 'Sign out',
  administration: 'Open the administration',
})
