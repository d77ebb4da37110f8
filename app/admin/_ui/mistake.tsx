import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import type { ApiProblem } from '@/lib/admin/api'
import { errorText, problemText } from '@/lib/browser/api-form'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'

type Props = {
  told?: readonly Problem[]
  problem?: ApiProblem
  /** What the fields are called on the page. */
  names?: Readonly<Record<string, string>>
}

/** A question that the API could not read: which field, and why. */
export async function Mistake({ told = [], problem, names = {} }: Props) {
  const { admin, common } = await currentMessages()
  const problems = problem ? toldBy(problem, admin.problems, names) : [...told]
  return <ErrorSummary title={common.problem} problems={problems} />
}

function toldBy(
  problem: ApiProblem,
  words: Messages['admin']['problems'],
  names: Readonly<Record<string, string>>,
): Problem[] {
  const { errors = [] } = problem
  if (errors.length === 0) return [{ text: problemText(problem, words) }]
  return errors.map((error) => {
    const text = errorText(error, words)
    const field = error.pointer.split('/').findLast((part) => Object.hasOwn(names, part))
    return field === undefined ? { text } : { field, text: `${names[field]}: ${text}` }
  })
}
