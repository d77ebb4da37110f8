import { english } from '../translation'

export const groups = english({
  title: 'Groups',
  intro: 'People who hold the same roles.',
  new: 'Add a group',
  name: 'Name',
  key: 'Key',
  keyHint: 'How the API and files call it: lower case, digits, dots, dashes.',
  created: 'Created',
  emptyTitle: 'There is no group yet',
  empty: 'A group gives everybody in it the same roles: add one, then give it a role.',
  members: 'Members',
  membersText: 'Add people on their own pages, or several at once in the list of users.',
  membersNone: 'Nobody is in it yet.',
  rolesText: 'Roles are given to a group on the role’s own page.',
  find: 'Show them in the list of users',
  danger: 'Its members lose the roles that it gave. This can’t be undone.',
  dangerTitle: 'Delete this group',
  dangerSummary: 'Delete…',
  take: 'Take out',
})
