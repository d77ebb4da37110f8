import type { z } from 'zod'
import { isProblem } from '../../lib/api/http/problem'
import { firstMistakeIn } from '../../lib/i18n/zod-error-message'

/**
 * What a step of the API was refused with: its code, and each field with its own code, or the reason
 * if no field is named. `invalid /name too_big`, `forbidden own_permissions`.
 */
export async function problemIn(step: () => unknown): Promise<string> {
  try {
    await step()
    return 'not refused'
  } catch (error) {
    if (!isProblem(error)) throw error
    const { errors = [] } = error.options
    const fields = errors.map(({ pointer, code }) => `${pointer} ${code}`)
    const said = fields.length > 0 ? fields.join(', ') : (error.reason?.code ?? error.message)
    return `${error.code} ${said}`
  }
}

/** The code of the first thing that a schema finds wrong with a value. */
export function mistakeIn(schema: z.ZodType, value: unknown): string {
  const parsed = schema.safeParse(value, { reportInput: true })
  return parsed.success ? 'none' : firstMistakeIn(parsed.error).code
}
