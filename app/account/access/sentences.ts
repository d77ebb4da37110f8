import { currentTextPicker } from '@/lib/browser/locale'
import { op } from '@/lib/op'

/** What permissions mean, in the reader's language; the permission itself where nobody has said so. */
export async function sentencesFor(scopes: readonly string[]): Promise<(scope: string) => string> {
  const described = await (await op()).consents.describe([...new Set(scopes)])
  const inWords = await currentTextPicker()
  return (scope) => inWords(described.get(scope)?.sentences ?? {}) ?? scope
}
