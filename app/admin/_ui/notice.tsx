import type { Messages } from '@/lib/i18n'
import { currentMessages } from '@/lib/locale'

/** What the last action did; the address names it, the words are ours. */
export async function Notice({ done }: { done: unknown }) {
  const texts = doneTexts((await currentMessages()).admin)
  const text = typeof done === 'string' && Object.hasOwn(texts, done) ? texts[done] : undefined
  if (text === undefined) return null
  return (
    <p role="status" className="rounded-panel border border-accent bg-wash px-4 py-3 font-medium">
      {text}
    </p>
  )
}

/** Each area of the pages has its own under `done`. */
function doneTexts(admin: Messages['admin']): Record<string, string> {
  const { done: saved, created, deleted } = admin.form
  const areas = Object.values(admin).map((area) =>
    typeof area === 'object' && 'done' in area && typeof area.done === 'object' ? area.done : {},
  )
  return Object.assign({ saved, created, deleted }, ...areas)
}
