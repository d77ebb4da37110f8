import { english } from '../translation'

export const failure = english({
  title: 'Something went wrong on our side',
  body: 'This is not your fault. Please try again. If the problem continues, tell the people who run this portal.',
  bodyWithReference:
    'This is not your fault. Please try again. If the problem continues, send this number to the people who run this portal:',
  retry: 'Try again',
  back: 'Go to the home page',
  copy: 'Copy',
  copied: 'Copied',
})
