'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, type ApiProblem, adminApi } from '@/lib/admin/api'
import { chosenIn, itemsIn, kindOf, partiesIn } from '@/lib/admin/choice'
import * as reviews from '@/lib/api/reviews/routes'
import { startAccessReview } from '@/lib/api/reviews/start-routes'
import { DAY_MS } from '@/lib/base/time'
import {
  type FieldError,
  type FormState,
  mistaken,
  numberOf,
  refused,
} from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { sendsMail } from '@/lib/delivery/mail/mode'
import { op } from '@/lib/op'

/** Where the API's members stand in the form. */
const FIELDS = { 'over/id': 'thing', 'over/days': 'unusedDays', deadline: 'days' }

export async function startReview(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const over = await overIn(api, form)
  const named = await partiesIn(api, form, 'reviewers', choose)
  const { parties: fallback, mistakes: others } = await partiesIn(api, form, 'fallback', choose)
  const mistakes = [...('mistake' in over ? [over.mistake] : []), ...named.mistakes, ...others]
  const reviewers = [...named.parties, ...othersIn(form)]
  if (reviewers.length === 0 && named.mistakes.length === 0) {
    mistakes.push({ field: 'reviewers', text: admin.reviews.reviewerMissing })
  }
  if ('mistake' in over || mistakes.length > 0) return mistaken(form, ...mistakes)
  const days = numberOf(form, 'days')
  const end = new Date((await op()).now().getTime() + days * DAY_MS)
  const deadline = Number.isNaN(end.getTime()) ? '' : end.toISOString()
  const body = { name: textOf(form, 'name').trim(), over, reviewers, fallback, deadline }
  const made = await api.send(startAccessReview, { body })
  const done = sendsMail(await op()) ? 'reviewStarted' : 'reviewNotMailed'
  if (made.ok) redirect(`/admin/reports/reviews/${made.body.id}?done=${done}`)
  return refused(made.problem, form, admin.problems, FIELDS)
}

type Mistaken = { mistake: FieldError }
type Thing = 'role' | 'api' | 'application' | 'user' | 'space'
type Over = { type: Thing; id: string } | { type: 'portal' } | { type: 'unused'; days: number }

async function overIn(api: AdminApi, form: FormData): Promise<Over | Mistaken> {
  const type = textOf(form, 'over')
  if (type === 'portal') return { type }
  if (type === 'unused') return { type, days: numberOf(form, 'unusedDays') }
  const { choose } = await currentMessages()
  const chosen = await chosenIn(api, 'reviewed', form, 'thing', choose)
  if (chosen.mistake) return { mistake: chosen.mistake }
  return { type: kindOf(chosen.found, 'api') as Thing, id: chosen.found.id }
}

function othersIn(form: FormData) {
  const managers = itemsIn(form, 'manager')
  return [
    ...(textOf(form, 'owners') === 'yes' ? [{ type: 'api_owners' as const }] : []),
    ...managers.map((attribute) => ({ type: 'manager' as const, attribute })),
  ]
}

export async function closeReview(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const params = { review: textOf(form, 'review') }
  const sent = await api.send(reviews.closeAccessReview, { params, body: {} })
  if (sent.ok) {
    const { id, status } = sent.body
    const done = status === 'closed' ? 'reviewClosed' : 'reviewClosing'
    redirect(`/admin/reports/reviews/${id}?done=${done}`)
  }
  return notDone(sent.problem, form)
}

export async function cancelReview(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const params = { review: textOf(form, 'review') }
  const sent = await api.send(reviews.cancelAccessReview, { params, body: {} })
  if (sent.ok) redirect(`/admin/reports/reviews/${sent.body.id}?done=reviewCancelled`)
  return notDone(sent.problem, form)
}

/** Once a review is over, its page has no form that could say so. */
async function notDone(problem: ApiProblem, form: FormData): Promise<FormState> {
  const review = encodeURIComponent(textOf(form, 'review'))
  if (problem.reason?.code === 'review_over')
    redirect(`/admin/reports/reviews/${review}?done=refused`)
  return refused(problem, form, (await currentMessages()).admin.problems)
}
