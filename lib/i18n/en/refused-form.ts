import { english } from '../translation'

/** Apart from the rest: proxy.ts needs these words and no others. */
export const refusedForm = english({
  title: 'This form was not accepted',
  text: 'The form came from another site, or your browser did not say which site it came from. Nothing was changed. Open the page on this portal and send the form again.',
  link: 'Go to the home page',
})
