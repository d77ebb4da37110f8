import { english } from '../translation'

export const outbox = english({
  title: 'Outbox',
  text: 'What leaves this portal: mail, sign-out notices to applications, and webhook events of the last 30 days. Their text is never shown here. A message that fails is tried again for about one day.',
  empty: 'Nothing has left this portal yet.',
  kind: 'Type',
  kinds: {
    mail: 'Mail',
    backchannel_logout: 'Sign-out notice',
    webhook: 'Webhook event',
    callback: 'Answer to an access request',
  },
  state: 'State',
  states: {
    waiting: 'Waiting',
    delivered: 'Delivered',
    failed: 'Failed',
    cancelled: 'Cancelled',
  },
  to: 'to {name}',
  toNobody: 'recipient not known',
  unknown: 'Message of an older version',
  tries: { one: '{count} try', other: '{count} tries' },
  nextTry: 'next try {when}',
  retry: 'Try again',
  retrying: 'Trying…',
  cancel: 'Cancel',
  cancelling: 'Cancelling…',
  done: {
    outboxRetried: 'The message is sent again now. Reload the page in a moment to see the result.',
    outboxCancelled: 'The message was cancelled and will not be sent. You can still try it again.',
    outboxRefused:
      'Nothing was changed. The message was delivered meanwhile, is being sent right now, or is a notice about the security of an account, which can’t be cancelled.',
  },
})
