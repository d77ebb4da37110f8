import { english } from '../translation'

export const terms = english({
  effect: 'Effect',
  effectHint: 'What is denied stays denied, whatever else gives it.',
  allow: 'Allow',
  deny: 'Deny',
  denies: 'Denies',
  validFrom: 'From',
  validUntil: 'Until',
  validHint: 'UTC. Empty: no limit.',
  always: 'Always',
  ended: 'Ended',
  from: 'from',
  until: 'until',
  when: 'when',
})

export const impact = english({
  look: 'See what this changes',
  confirmSave: 'Confirm and save',
  confirmDelete: 'Confirm and delete',
  title: 'What this changes',
  nobody: 'Nobody gains or loses anything.',
  one: '1 user or application gains or loses something.',
  many: '{count} users and applications gain or lose something.',
  liveTokens:
    'Tokens that carry something that would be lost: {count}. They keep it until they end or are renewed.',
  gains: 'gains',
  loses: 'loses',
  mayGain: 'gains, on a condition',
  mayLose: 'loses, on a condition',
  more: 'Show {count} more',
  notListed: '{count} more are not listed.',
  types: { user: 'User', client: 'Application', key: 'Access key' },
  occasion:
    'Weighed right now, with each user’s own attributes. What hangs on the address, the sign-in or another condition is marked so.',
  confirmHint: 'Nothing is saved yet. Confirm below, or change something and look again.',
})
