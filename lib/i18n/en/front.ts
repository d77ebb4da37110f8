import { english } from '../translation'

export const front = english({
  headline: 'Sign in once and use all your applications.',
  about:
    '{name} manages your account. It tells each application who you are and what you may do there.',
  signIn: 'Sign in',
  discovery: 'Discovery document',
  docs: 'API reference',
  version: 'Version {version}',
  hello: 'Hello, {name}.',
  helloUnknown: 'Hello.',
  signedIn: 'You’re signed in. You can now use the applications that are connected to this portal.',
  account: 'Your account',
  manage: 'Manage your account',
  name: 'Name',
  email: 'Email',
  since: 'Signed in',
  notGiven: 'Not set',
  signOut: 'Sign out',
})
