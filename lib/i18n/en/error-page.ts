import { english } from '../translation'

export const errorPage = english({
  signIn: {
    title: 'This sign-in can’t continue',
    text: 'The application sent a request that is not valid, so we stopped. Go back to the application and try again. If the problem continues, contact the publisher of the application.',
  },
  signOut: {
    title: 'This sign-out can’t continue',
    text: 'The application sent a sign-out request that is not valid, so we stopped. You may still be signed in. Go back to the application and try again, or sign out on your account page here. If the problem continues, contact the publisher of the application.',
  },
  outage: {
    title: 'The portal is temporarily unavailable',
    text: 'It cannot use its database right now. Wait a few seconds, then try again.',
  },
  busy: {
    title: 'Too many people want a page at this moment',
    text: 'The portal cannot make this page right now. Wait a few seconds, then try again.',
  },
  reason: 'Reason',
  reference: 'Reference number',
  referenceText:
    'If you contact the people who run this portal, tell them this number. With it they find the reason.',
  back: 'Go to {app}',
  onward: 'Continue to {host}',
  unverified:
    'Nobody here has checked who runs this application. Continue only if you started this.',
  forAdmins: 'What you see as an admin',
  clientSent: 'Client ID that was sent',
  sent: 'Redirect URI that was sent',
  registered: 'Redirect URIs that are registered',
  none: 'None',
  openRefusals: 'Refused requests of this application',
  openEntry: 'Find this request in the audit log',
})
