/** What can be wrong with a condition. Apart from the rest: the browser needs these words too. */
export const conditionFaults = {
  condition_long: 'This condition is too long. Use at most {maximum} characters.',
  condition_type: 'A condition must be true or false. This one returns {type}.',
  condition_unavailable: '{name} is not available in conditions.',
  condition_matches: 'matches() is not available. Use startsWith, endsWith or contains.',
  condition_nested: 'Macros such as all() and exists() are nested too deeply.',
  condition_costly: 'This part takes more than {steps} steps. Make it simpler.',
  condition_member: '{name} does not exist. Use {instead}.',
  condition_variable:
    '{name} is not a variable. Use request, user, auth, client, resource, subject or action.',
  condition_call: '{name} does not exist, or does not take these values.',
  condition_operands: 'These values can’t be combined like this. Compare values of the same type.',
  condition_unfinished: 'The condition ends too early. Complete it.',
  condition_unreadable: 'This is not a CEL expression. Check the spelling, quotes and brackets.',
} as const
