import { english } from '../translation'

export const failure = english({
  title: 'Something went wrong on our side',
  body: 'You did nothing wrong, and trying again often helps. If it keeps happening, tell the people who run this portal.',
  bodyWithReference:
    'You did nothing wrong, and trying again often helps. If it keeps happening, send this number to the people who run this portal:',
  retry: 'Try again',
  back: 'Go to the front page',
  copy: 'Copy',
  copied: 'Copied',
})
