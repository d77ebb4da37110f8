import type { ImpactChange } from '../api/impact/change'
import { previewImpact } from '../api/impact/routes'
import { type FormState, shownFirst } from '../browser/api-form'
import { textOf } from '../browser/form'
import { sha256 } from '../crypto/secrets'
import type { AdminApi, ApiProblem } from './api'
import { type ImpactPreview, REVIEWED } from './reviewed'

/** Shows the effect of a change before it is made. */

type Review = {
  space: string
  change: ImpactChange
  form: FormData
  refuse(problem: ApiProblem): FormState
}

/**
 * Null if the form confirms that this exact change was reviewed; a different change is shown again.
 */
export async function reviewOf(
  api: AdminApi,
  { space, change, form, refuse }: Review,
): Promise<FormState | null> {
  const digest = digestOf(change)
  if (textOf(form, REVIEWED) === digest) return null
  const asked = await api.send(previewImpact, { params: { space }, body: { change } })
  if (!asked.ok) return refuse(withoutChange(asked.problem))
  return shownFirst<ImpactPreview>(form, { impact: asked.body, digest, space, change })
}

export function digestOf(change: unknown): string {
  return sha256(JSON.stringify(change))
}

/** The preview names members of the change; the form has the same fields at the top level. */
function withoutChange(problem: ApiProblem): ApiProblem {
  if (!problem.errors) return problem
  const errors = problem.errors.map((error) => ({
    ...error,
    pointer: error.pointer.replace(/^\/change/, ''),
  }))
  return { ...problem, errors }
}
