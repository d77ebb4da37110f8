import { english } from '../translation'

/** Choosing a password, wherever that is done. */
export const password = english({
  hint: 'At least {count} characters. A few unrelated words work well.',
  missing: 'Choose a password.',
  short: 'Use at least {count} characters for the password.',
  long: 'That password is too long. Use at most 1,024 bytes.',
  common: 'That password is easy to guess. Choose a less common one.',
  own: 'That password is made of your own name or address, or of this portal’s name. Choose words that have nothing to do with you.',
  strength: {
    more: '{count} more characters needed.',
    oneMore: '1 more character needed.',
    scores: {
      0: 'Very easy to guess. Try a few unrelated words.',
      1: 'Easy to guess. Add another word.',
      2: 'Could be guessed. Another word would help.',
      3: 'A good password.',
      4: 'A strong password.',
    },
  },
})
