import type { AdminApi } from '@/lib/admin/api'
import { allChosenIn } from '@/lib/admin/choice'
import { HOUR_SECONDS, MINUTE_SECONDS } from '@/lib/base/time'
import { type FieldError, numberOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { KINDS, type Kind, peopleField, reviewField } from './emergency-names'

type Named = { type: Kind; id: string }

/** What the form says about emergencies; null if it names nobody. */
export async function emergencyIn(api: AdminApi, form: FormData) {
  const people = await namedIn(api, form, peopleField)
  if ('mistake' in people) return people
  if (people.named.length === 0) return { emergency: null }
  const reviewers = await namedIn(api, form, reviewField)
  if ('mistake' in reviewers) return reviewers
  const owners = textOf(form, 'reviewOwners') === 'yes' ? [{ type: 'api_owners' as const }] : []
  const all = [...reviewers.named, ...owners]
  if (all.length === 0) return { mistake: await noReviewer() }
  return {
    emergency: {
      people: people.named,
      seconds: Math.round(numberOf(form, 'emergencyMinutes') * MINUTE_SECONDS),
      reviewSeconds: Math.round(numberOf(form, 'emergencyReviewHours') * HOUR_SECONDS),
      reviewers: all,
    },
  }
}

async function noReviewer(): Promise<FieldError> {
  const { emergencies } = (await currentMessages()).requests
  return { field: reviewField('group'), text: emergencies.reviewMissing }
}

async function namedIn(
  api: AdminApi,
  form: FormData,
  fieldOf: (kind: Kind) => string,
): Promise<{ named: Named[] } | { mistake: FieldError }> {
  const { choose } = await currentMessages()
  const named: Named[] = []
  for (const type of KINDS) {
    const chosen = await allChosenIn(api, type, form, fieldOf(type), choose)
    if (chosen.mistake) return { mistake: chosen.mistake }
    named.push(...chosen.found.map(({ id }) => ({ type, id })))
  }
  return { named }
}
