import { currentMessages } from '@/lib/browser/locale'

/** What the last action did; the address names it, the words are ours. */
export async function Notice({ done }: { done: unknown }) {
  const { account, passkeys, devices } = await currentMessages()
  const texts: Record<string, string> = {
    ...account.done,
    passkeyAdded: passkeys.added,
    passkeyRemoved: passkeys.removed,
    passkeyNamed: passkeys.named,
    lastWayIn: passkeys.lastWayIn,
    deviceAsked: devices.done,
  }
  const text = typeof done === 'string' && Object.hasOwn(texts, done) ? texts[done] : undefined
  if (text === undefined) return null
  return (
    <p role="status" className="rounded-panel border border-accent bg-wash px-4 py-3 font-medium">
      {text}
    </p>
  )
}
