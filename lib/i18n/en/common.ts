import { english } from '../translation'

export const portal = english({
  description: 'Sign in once and use all your applications.',
})

export const frame = english({
  skip: 'Skip to the content',
  home: '{name}, home page',
  language: 'Language',
  theme: 'Appearance',
  themes: { system: 'Auto', light: 'Light', dark: 'Dark' },
})

export const common = english({
  copy: 'Copy',
  copied: 'Copied',
  backToFront: 'Go to the home page',
  problem: 'Please check this:',
  showPassword: 'Show password',
  show: 'Show',
  hide: 'Hide',
  capsLock: 'Caps Lock is on',
  messageFrom: 'Message from {app}',
})

export const notFound = english({
  title: 'This page does not exist',
  body: 'The link may be out of date, or the URL may be misspelled. Check the URL, or go to the home page.',
})
