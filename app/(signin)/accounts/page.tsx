import { Badge } from '@/app/_ui/badge'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import { isOwnInteraction } from '@/lib/browser/open-interaction'
import type { PageProps } from '@/lib/browser/page-props'
import { returningTo, returnToOf } from '@/lib/browser/return-to'
import { currentSession, heldSessions } from '@/lib/browser/session'
import type { HeldSession } from '@/lib/context/op'
import { fill } from '@/lib/i18n/fill'
import { paths } from '@/lib/oidc/paths'
import { Expired } from '../expired'
import { chooseAccount, removeAccount } from './actions'
import { ChoiceButton, RemoveButton } from './choice-button'

export const generateMetadata = pageTitle(({ accounts }) => accounts.title)

/** Who of those that are signed in at this browser? For an application, or for the portal itself. */
export default async function AccountsPage({ searchParams }: PageProps) {
  const query = await searchParams
  const interaction = typeof query.interaction === 'string' ? query.interaction : ''
  const open = interaction === '' || (await isOwnInteraction(interaction))
  return (
    <PageFrame plain>
      {open ? <Chooser interaction={interaction} returnTo={returnToOf(query)} /> : <Expired />}
    </PageFrame>
  )
}

type Where = { interaction: string; returnTo: string }

async function Chooser({ interaction, returnTo }: Where) {
  const { accounts } = await currentMessages()
  const active = await currentSession()
  const held = await heldSessions()
  const goingTo = interaction === '' ? returnTo : `${paths.authorize}/${interaction}`
  return (
    <div className="grid max-w-[28rem] gap-8">
      <Heading title={accounts.title} text={accounts.intro} />
      <ul className="grid divide-y divide-line border-line border-y">
        {held.map((session) => (
          <Account
            key={session.id}
            session={session}
            current={session.id === active?.id}
            where={{ interaction, returnTo }}
          />
        ))}
      </ul>
      <div>
        <LinkButton href={returningTo('/login', goingTo)} tone="quiet">
          {accounts.another}
        </LinkButton>
      </div>
    </div>
  )
}

type AccountProps = { session: HeldSession; current: boolean; where: Where }

async function Account({ session: { id, user }, current, where }: AccountProps) {
  const { accounts } = await currentMessages()
  const who = user.email ?? user.name ?? user.id
  const hidden = (
    <>
      <input type="hidden" name="session" value={id} />
      <input type="hidden" name="interaction" value={where.interaction} />
      <input type="hidden" name="returnTo" value={where.returnTo} />
    </>
  )
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-3 py-2">
      <form action={chooseAccount} className="min-w-0">
        {hidden}
        <ChoiceButton>
          <span className="flex flex-wrap items-center gap-x-3 font-semibold [overflow-wrap:anywhere]">
            {user.name ?? who}
            {current && <Badge>{accounts.current}</Badge>}
          </span>
          <span className="text-muted text-small [overflow-wrap:anywhere]">{who}</span>
        </ChoiceButton>
      </form>
      <form action={removeAccount}>
        {hidden}
        <RemoveButton name={fill(accounts.removeNamed, { who })} label={accounts.remove} />
      </form>
    </li>
  )
}
