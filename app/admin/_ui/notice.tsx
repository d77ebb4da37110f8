import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'

/** What the last action did; the address names it, the words are ours. */
export async function Notice({ done }: { done: unknown }) {
  const texts = doneTexts((await currentMessages()).admin)
  const text = typeof done === 'string' && Object.hasOwn(texts, done) ? texts[done] : undefined
  if (text === undefined) return null
  if (FAILURES.has(String(done))) {
    return (
      <p role="alert" className={`${boxClass} border-danger bg-danger-wash text-danger`}>
        {text}
      </p>
    )
  }
  return (
    <p role="status" className={`${boxClass} border-accent bg-wash`}>
      {text}
    </p>
  )
}

const boxClass = 'rounded-panel border px-4 py-3 font-medium'

/** What was not done, and must not look as if it were. */
const FAILURES: ReadonlySet<string> = new Set([
  'refused',
  'notSent',
  'refusedWebhook',
  'outboxRefused',
])

/** Each area of the pages has its own under `done`. */
function doneTexts(admin: Messages['admin']): Record<string, string> {
  const { done: saved, created, deleted, refused } = admin.form
  const areas = Object.values(admin).map((area) =>
    typeof area === 'object' && 'done' in area && typeof area.done === 'object' ? area.done : {},
  )
  return Object.assign({ saved, created, deleted, refused }, ...areas)
}
