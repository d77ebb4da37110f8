import { english } from '../translation'

export const authorizeError = english({
  title: 'This sign-in can’t continue',
  text: 'The application sent a request that is not valid, so we stopped. Go back to the application and try again. If the problem continues, contact the publisher of the application.',
  reason: 'Reason',
  reference: 'Reference number',
})
