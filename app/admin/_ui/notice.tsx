import { currentMessages } from '@/lib/locale'

/** What the last action did; the address names it, the words are ours. */
export async function Notice({ done }: { done: unknown }) {
  const { applications, form, users } = (await currentMessages()).admin
  const texts: Record<string, string> = {
    saved: form.done,
    created: form.created,
    deleted: form.deleted,
    ...applications.done,
    ...users.done,
  }
  const text = typeof done === 'string' && Object.hasOwn(texts, done) ? texts[done] : undefined
  if (text === undefined) return null
  return (
    <p role="status" className="rounded-panel border border-accent bg-wash px-4 py-3 font-medium">
      {text}
    </p>
  )
}
