import { currentLocale, currentMessages } from '@/lib/browser/locale'
import { impersonationHere } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { dateFormat } from '@/lib/i18n/formats'
import { Button } from './button'
import { wideColumnClass } from './layout-classes'
import { leaveAccount } from './leave-account'

type Person = { id: string; name: string | null; email: string | null }

/** Above every page as long as an admin is in the account of a user: who, whom, until when. */
export async function ImpersonationBanner() {
  const here = await impersonationHere()
  if (!here) return null
  const { impersonation: words } = await currentMessages()
  const { user, admin, mode, expiresAt } = here
  const format = { timeStyle: 'short', timeZone: 'UTC' } as const
  const time = `${dateFormat(await currentLocale(), format).format(expiresAt)} UTC`
  return (
    <aside aria-label={words.label} className="impersonation border-warn border-b-4 bg-raised">
      <div
        className={`${wideColumnClass} flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-3`}
      >
        <div className="grid min-w-0 [overflow-wrap:anywhere]">
          <p className="font-semibold">
            {fill(words.text, { user: named(user), admin: named(admin) })}
          </p>
          <p className="text-small">
            {mode === 'full' ? words.full : words.readOnly} {fill(words.until, { time })}
          </p>
        </div>
        <form action={leaveAccount}>
          <Button type="submit" tone="quiet">
            {words.end}
          </Button>
        </form>
      </div>
    </aside>
  )
}

function named({ name, email, id }: Person): string {
  return name ?? email ?? id
}
