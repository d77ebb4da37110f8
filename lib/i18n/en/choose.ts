import { english } from '../translation'

/** Fields in which something is chosen by its name. */
export const choose = english({
  list: 'Suggestions',
  results: { one: '{count} result', other: '{count} results' },
  none: 'No results. Check how it is written.',
  searching: 'Searching…',
  failed: 'The search did not respond. You can enter the exact name or ID.',
  unknown: '“{text}” was not found. Choose from the list, or enter the exact name or ID.',
  missing: 'Choose from the list, or enter a name or an ID.',
  several: 'Several are called “{text}”. Choose one from the list, or enter its ID.',
  chosen: 'Chosen',
  keep: 'Clear a check mark to remove an entry.',
})
