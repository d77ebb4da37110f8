import { english } from '../translation'

export const portal = english({
  description: 'Sign in once, for everything behind this gate.',
})

export const frame = english({
  skip: 'Skip to the content',
  home: '{name}, front page',
  language: 'Language',
  theme: 'Appearance',
  themes: { system: 'Auto', light: 'Light', dark: 'Dark' },
})

export const common = english({
  copy: 'Copy',
  copied: 'Copied',
  backToFront: 'Go to the front page',
  problem: 'Please check this:',
  showPassword: 'Show password',
  show: 'Show',
  hide: 'Hide',
  capsLock: 'Caps Lock is on',
})

export const notFound = english({
  title: 'There’s nothing at this address',
  body: 'The link may be old, or the address mistyped. Check it, or start again from the front page.',
})
