import type { AdminApi } from '@/lib/admin/api'
import { partiesIn } from '@/lib/admin/choice'
import { HOUR_SECONDS, MINUTE_SECONDS } from '@/lib/base/time'
import { type FieldError, numberOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'

/** Where the API's members about emergencies stand in the form. */
export const EMERGENCY_FIELDS = {
  'emergency/people': 'emergencyPeople',
  'emergency/seconds': 'emergencyMinutes',
  'emergency/reviewSeconds': 'emergencyReviewHours',
  'emergency/reviewers': 'emergencyReviewers',
}

/** What the form says about emergencies; null if it names nobody. */
export async function emergencyIn(api: AdminApi, form: FormData) {
  const { choose, requests } = await currentMessages()
  const opening = await partiesIn(api, form, 'emergencyPeople', choose)
  if (opening.parties.length === 0) return { emergency: null, mistakes: opening.mistakes }
  const reviewing = await partiesIn(api, form, 'emergencyReviewers', choose)
  const owners = textOf(form, 'reviewOwners') === 'yes' ? [{ type: 'api_owners' as const }] : []
  const reviewers = [...reviewing.parties, ...owners]
  const mistakes: FieldError[] = [...reviewing.mistakes]
  if (reviewers.length + mistakes.length === 0) {
    mistakes.push({ field: 'emergencyReviewers', text: requests.emergencies.reviewMissing })
  }
  return {
    emergency: {
      people: opening.parties,
      seconds: Math.round(numberOf(form, 'emergencyMinutes') * MINUTE_SECONDS),
      reviewSeconds: Math.round(numberOf(form, 'emergencyReviewHours') * HOUR_SECONDS),
      reviewers,
    },
    mistakes,
  }
}
