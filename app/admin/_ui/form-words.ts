import { currentMessages } from '@/lib/browser/locale'
import type { FormWords } from './form'

const BUSY = { save: 'saving', create: 'creating', delete: 'deleting' } as const

/** The words around a form's fields. */
export async function formWords(what: keyof typeof BUSY): Promise<FormWords> {
  const { admin, common } = await currentMessages()
  return { submit: admin.form[what], busy: admin.form[BUSY[what]], problem: common.problem }
}
