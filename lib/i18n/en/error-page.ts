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
  reason: 'Reason',
  reference: 'Reference number',
})
