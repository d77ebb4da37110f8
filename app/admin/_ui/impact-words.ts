import { currentMessages } from '@/lib/browser/locale'
import type { FormWords } from './form'
import { formWords } from './form-words'

/** The words of a form that shows what it would do before it does it. */
export async function impactWords(what: 'save' | 'delete'): Promise<FormWords> {
  const { impact } = (await currentMessages()).admin
  const confirm = what === 'save' ? impact.confirmSave : impact.confirmDelete
  return { ...(await formWords(what)), submit: impact.look, confirm }
}
