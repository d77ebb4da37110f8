import { english } from '../translation'

export const device = english({
  title: 'Connect a device',
  intro: 'Enter the code that your device shows, for example a television or a command line.',
  code: 'Code',
  codeHint: 'Eight letters. Capital letters, spaces and hyphens don’t matter.',
  next: 'Continue',
  nextBusy: 'Checking…',
  problem: 'That didn’t work',
  missing: 'Enter the code that your device shows.',
  malformed: 'The code has eight letters, such as WDJB-MJHT. Check it on your device.',
  wrong: 'This code is not valid. It may have expired or been used. Get a new one on your device.',
  slowDown: {
    one: 'Too many wrong codes. Please wait {count} minute, then try again.',
    other: 'Too many wrong codes. Please wait {count} minutes, then try again.',
  },
  confirmTitle: 'Does your device show this code?',
  onlyIf: 'Continue only if you started this',
  onlyIfText:
    'The code must be on a device in front of you. If somebody sent you the code or a link, they want to get into your account.',
  app: 'Application',
  place: 'Place (roughly)',
  address: 'IP address',
  unknown: 'unknown',
  when: 'Asked',
  confirm: 'Yes, continue',
  confirming: 'Continuing…',
  notMine: 'No, this isn’t my device',
  another: 'Enter another code',
  done: {
    approved: {
      title: 'Your device is connected',
      text: 'Go back to your device. It continues in a few seconds. You can close this page.',
    },
    refused: {
      title: 'The device was refused',
      text: 'It gets no access to your account. You can close this page.',
    },
    blocked: {
      title: 'The device can’t be connected',
      text: 'Your account may not use this application, or the application asks for something that it may not have. Contact its publisher or your admin.',
    },
    answered: {
      title: 'This code was already used',
      text: 'Somebody has answered for this device before. If it still waits, get a new code on it.',
    },
    expired: {
      title: 'This code has expired',
      text: 'Get a new code on your device, then enter it here.',
    },
  },
  apps: 'You can end its access at any time under Applications in your account.',
  openApps: 'Open my applications',
})
