import { english } from '../translation'

export const groups = english({
  title: 'Groups',
  intro: 'A group is a set of users who have the same roles.',
  new: 'Add a group',
  name: 'Name',
  key: 'Key',
  keyHint:
    'The name of the group in the API and in files: lower-case letters, digits, dots and dashes.',
  created: 'Created',
  emptyTitle: 'No groups yet',
  empty: 'A group gives all its members the same roles. Add a group, then assign a role to it.',
  members: 'Members',
  membersText: 'You can add several users at once in the list of users.',
  add: 'Add a user to this group',
  addHint: 'A name, email address, username or ID.',
  membersNone: 'This group has no members yet.',
  rolesText: 'To assign a role to a group, open the page of the role.',
  find: 'Show members in the list of users',
  danger: 'Its members lose the roles of this group. This can’t be undone.',
  dangerTitle: 'Delete this group',
  dangerSummary: 'Delete…',
  take: 'Remove',
})
