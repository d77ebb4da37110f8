import { english } from '../translation'

export const terms = english({
  effect: 'Effect',
  effectHint: 'A deny wins over every allow.',
  allow: 'Allow',
  deny: 'Deny',
  denies: 'Deny',
  validFrom: 'Valid from',
  validUntil: 'Valid until',
  validHint: 'UTC. If empty, there is no limit.',
  always: 'Always',
  ended: 'Expired',
  from: 'from',
  until: 'until',
  when: 'if',
  exchange: 'by token exchange, for tokens of {app}',
  exchangeAny: 'by token exchange, for tokens of any application',
})

export const impact = english({
  look: 'Preview the effect',
  confirmSave: 'Confirm and save',
  confirmDelete: 'Confirm and delete',
  title: 'Effect of this change',
  looking: 'Everybody whom the change concerns is being checked.',
  soFar: '{percent} % checked, {count} affected so far',
  stop: 'Stop',
  incomplete: {
    first: 'There are too many to check them all here. The figures are those of the first ones.',
    stopped: 'You stopped the check. The figures are those found so far.',
    failed:
      'The check could not be completed. The figures are those found so far. Preview again to repeat it.',
  },
  nobody: 'No user or application gains or loses a permission.',
  some: {
    one: '{count} user or application gains or loses permissions.',
    other: '{count} users and applications gain or lose permissions.',
  },
  liveTokens: {
    one: '{count} valid token contains permissions that would be lost. It keeps them until it expires or is renewed.',
    other:
      '{count} valid tokens contain permissions that would be lost. They keep them until they expire or are renewed.',
  },
  gains: 'gains',
  loses: 'loses',
  mayGain: 'gains, with a condition',
  mayLose: 'loses, with a condition',
  more: 'Show {count} more',
  notListed: { one: '{count} more is not listed.', other: '{count} more are not listed.' },
  types: { user: 'User', client: 'Application', key: 'Access key' },
  basis:
    'The preview uses the current time and the attributes of each user. Permissions that depend on the IP address, the sign-in or another condition are marked.',
  confirmHint: 'Nothing is saved yet. Confirm below, or change something and preview again.',
})
