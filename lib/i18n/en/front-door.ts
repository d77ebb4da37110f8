import { english } from '../translation'

/** Apart from the rest: proxy.ts needs these words and no others. */
export const frontDoor = english({
  title: 'We didn’t take this form',
  text: 'It came from another site, or your browser didn’t say where it came from. Nothing was changed. Open the page here and send the form again.',
  link: 'Go to the start page',
})
