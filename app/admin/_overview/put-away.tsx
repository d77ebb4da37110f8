import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { currentMessages } from '@/lib/browser/locale'
import { bringBack, putAway } from './actions'

type Props = {
  keys: readonly string[]
  /** The page that the button leads back to. */
  at: 'overview' | 'health'
  what: 'away' | 'back'
  label?: string
  /** What it is called aloud, where several stand on one page. */
  name?: string
}

/** Puts warnings or the first steps away, or shows them again. */
export async function PutAway({ keys, at, what, label, name }: Props) {
  const { health: words } = (await currentMessages()).admin.overview
  const text = label ?? (what === 'away' ? words.putAway : words.show)
  return (
    <form action={what === 'away' ? putAway : bringBack}>
      <input type="hidden" name="at" value={at} />
      {keys.map((key) => (
        <input key={key} type="hidden" name="key" value={key} />
      ))}
      <QuietSubmit
        label={text}
        busyLabel={words.puttingAway}
        {...(name !== undefined && { name: `${text}: ${name}` })}
      />
    </form>
  )
}
