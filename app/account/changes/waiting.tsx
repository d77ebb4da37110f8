import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { CHANGES_PATH, type PendingChange } from '@/lib/api/mcp/confirmation'
import { currentClock } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { written } from '@/lib/i18n/moments'
import { sentenceOf } from './sentence'

/** The changes that agents asked for, each with the way to its page; nothing if none waits. */
export async function WaitingChanges({ changes }: { changes: readonly PendingChange[] }) {
  if (changes.length === 0) return null
  const { account } = await currentMessages()
  const words = account.changes
  const clock = await currentClock()
  return (
    <Section title={words.waitingTitle} text={words.waitingText}>
      <ul className="grid gap-3">
        {changes.map((change) => (
          <li
            key={change.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1"
          >
            <span className="grid">
              <span className="font-medium">{sentenceOf(change, account)}</span>
              <span className="text-muted">
                {fill(words.waitingFrom, {
                  app: change.applicationName,
                  time: written(change.expiresAt, 'hour', clock),
                })}
              </span>
            </span>
            <QuietLink href={`${CHANGES_PATH}/${change.id}`}>{words.look}</QuietLink>
          </li>
        ))}
      </ul>
    </Section>
  )
}
