import { english } from '../translation'

/** Choosing a password, wherever that is done. */
export const password = english({
  hint: 'At least {count} characters. A few unrelated words work well.',
  missing: 'Choose a password.',
  short: 'Use at least {count} characters for the password.',
  long: 'This password is too long. Use at most 1,024 bytes.',
  common: 'This password is easy to guess. Choose a less common one.',
  own: 'This password contains your name, your email address or the name of this portal. Choose words that are not related to you.',
  breached:
    'This password is known from a data breach, so attackers try it first. Choose another one, and change it wherever else you use it.',
  strength: {
    more: { one: '{count} more character needed.', other: '{count} more characters needed.' },
    scores: {
      0: 'Very easy to guess. Try a few unrelated words.',
      1: 'Easy to guess. Add another word.',
      2: 'Can be guessed. Add another word.',
      3: 'A good password.',
      4: 'A strong password.',
    },
  },
})
