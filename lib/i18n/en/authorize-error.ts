import { english } from '../translation'

export const authorizeError = english({
  title: 'This sign-in can’t go on',
  text: 'The app sent us something we can’t trust, so we stopped here. Go back to the app and try again. If it keeps happening, tell the people who run the app.',
  reason: 'What was wrong',
  reference: 'Reference',
})
