'use server'

import { redirect } from 'next/navigation'
import { ownApi } from '@/lib/admin/api'
import { decideAccessReview } from '@/lib/api/reviews/routes'
import { type FormState, mistaken, refused, valuesOf } from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import { saidText } from './said'

const DECISIONS = ['keep', 'narrow', 'remove'] as const
type Decision = (typeof DECISIONS)[number]

export async function decide(_before: FormState, form: FormData): Promise<FormState> {
  const api = await ownApi()
  const { reviews, problems } = await currentMessages()
  const review = textOf(form, 'review')
  const accepts = textOf(form, 'answer') === 'accept'
  const items = valuesOf(form, 'item')
  const decisions = items.flatMap((item) => decisionIn(form, item, accepts))
  if (decisions.length === 0) {
    const { noSuggestion, nothingChanged, nothingChosen } = reviews.own
    const wasDecided = items.some((item) => textOf(form, `was-${item}`) !== '')
    const text = accepts ? noSuggestion : wasDecided ? nothingChanged : nothingChosen
    return mistaken(form, { text })
  }
  const sent = await api.send(decideAccessReview, { params: { review }, body: { decisions } })
  const at = `/account/reviews/${encodeURIComponent(review)}`
  if (sent.ok) redirect(`${at}?done=reviewDecided`)
  const { code } = sent.problem
  if (code === 'not_found') redirect(at)
  return refused(sent.problem, form, problems, fieldsOf(decisions))
}

/**
 * What was chosen, or what was suggested where nothing was; nothing if there is neither, or if it
 * was decided so before: that decision stays in the name of whoever made it.
 */
function decisionIn(form: FormData, item: string, accepts: boolean) {
  const chosen = textOf(form, `decision-${item}`)
  const suggested = accepts && chosen === '' ? textOf(form, `suggested-${item}`) : ''
  const decision = DECISIONS.find((one) => one === (chosen || suggested))
  if (decision === undefined) return []
  const comment = textOf(form, `comment-${item}`).trim() || null
  const said = { item, decision, comment, ...(decision === 'narrow' && narrowed(form, item)) }
  return saidText(said) === textOf(form, `was-${item}`) ? [] : [said]
}

function narrowed(form: FormData, item: string) {
  const narrowTo = textOf(form, `narrow-${item}`)
    .split(/[\s,]+/)
    .filter(Boolean)
  const until = textOf(form, `until-${item}`)
  return { ...(narrowTo.length > 0 && { narrowTo }), ...(until !== '' && { until }) }
}

/** Where the members of each decision stand in the form. */
function fieldsOf(decisions: readonly { item: string; decision: Decision }[]) {
  const entries = decisions.flatMap(({ item }, at) => [
    [`decisions/${at}`, `decision-${item}`],
    [`decisions/${at}/narrowTo`, `narrow-${item}`],
    [`decisions/${at}/until`, `until-${item}`],
    [`decisions/${at}/comment`, `comment-${item}`],
  ])
  return Object.fromEntries(entries) as Record<string, string>
}
