import { type ImpactChange, previewImpact } from '../api/routes/impact'
import { textOf } from '../browser/form'
import { sha256 } from '../crypto/secrets'
import type { AdminApi, ApiProblem } from './api'
import { type FormState, shownFirst } from './form'
import { REVIEWED, type Reviewed } from './reviewed'

/** Before a change is made, whoever makes it sees what it does. */

type Review = {
  space: string
  change: ImpactChange
  form: FormData
  refuse(problem: ApiProblem): FormState
}

/** Null once the form says that this very change was seen; what was altered since is shown again. */
export async function reviewOf(
  api: AdminApi,
  { space, change, form, refuse }: Review,
): Promise<FormState | null> {
  const digest = digestOf(change)
  if (textOf(form, REVIEWED) === digest) return null
  const asked = await api.send(previewImpact, { params: { space }, body: { change } })
  if (!asked.ok) return refuse(withoutChange(asked.problem))
  return shownFirst<Reviewed>(form, { impact: asked.body, digest })
}

export function digestOf(change: unknown): string {
  return sha256(JSON.stringify(change))
}

/** The preview names members of the change; the form knows them without that. */
function withoutChange(problem: ApiProblem): ApiProblem {
  if (!problem.errors) return problem
  const errors = problem.errors.map((error) => ({
    ...error,
    pointer: error.pointer.replace(/^\/change/, ''),
  }))
  return { ...problem, errors }
}
