import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { ComboboxWords } from './combobox'

export async function comboboxWords(): Promise<ComboboxWords> {
  return { ...(await currentMessages()).choose, locale: await currentLocale() }
}
