/** The fields of a rule about emergencies. */

export const KINDS = ['role', 'group', 'user'] as const
export type Kind = (typeof KINDS)[number]

export function peopleField(kind: Kind): string {
  return `emergency-${kind}`
}

export function reviewField(kind: Kind): string {
  return `review-${kind}`
}

/** Where the API's members stand in the form. */
export const EMERGENCY_FIELDS = {
  'emergency/people': peopleField('group'),
  'emergency/seconds': 'emergencyMinutes',
  'emergency/reviewSeconds': 'emergencyReviewHours',
  'emergency/reviewers': reviewField('group'),
}
