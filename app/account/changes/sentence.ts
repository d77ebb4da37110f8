import type { PendingChange } from '@/lib/api/mcp/confirmation'
import { toolNamed } from '@/lib/api/mcp/tools'
import type { Messages } from '@/lib/i18n'

/** What the change does, in a few words. */
export function sentenceOf(
  { tool }: PendingChange,
  { changes: words }: Messages['account'],
): string {
  const sentences: Readonly<Record<string, string>> = words.tools
  return sentences[tool] ?? toolNamed(tool)?.operation.summary ?? tool
}
