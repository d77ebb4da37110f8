import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { AppMark } from '@/app/(signin)/consent/app-mark'
import { openRequestsOf, type Tile, tilesOf } from '@/lib/accounts/home'
import { changesWaitingFor } from '@/lib/api/mcp/confirmation'
import { countWaitingFor } from '@/lib/api/requests/seen'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Session } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { op } from '@/lib/op'
import { News } from './news'

/** What a user finds when they come: what waits for them, what happened, and their applications. */
export async function Home({ session }: { session: Session }) {
  const { home: words } = (await currentMessages()).account
  const tiles = await tilesOf(await op(), session)
  return (
    <>
      <ToDo session={session} />
      <News session={session} />
      <Section title={words.apps} {...(tiles.length === 0 && { text: words.none })}>
        {tiles.length > 0 && (
          <ul className="grid grid-cols-2 gap-4 sm:grid-cols-3">
            {tiles.map((tile) => (
              <AppTile key={tile.id} tile={tile} />
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

/** Away from here, so it says where. */
async function AppTile({ tile: { name, href, logoUri, logos } }: { tile: Tile }) {
  const { apps } = (await currentMessages()).account
  const { host } = new URL(href)
  return (
    <li className="grid">
      <a
        href={href}
        rel="noopener noreferrer"
        aria-label={fill(apps.openNamed, { app: name, host })}
        className="grid content-start justify-items-start gap-3 rounded-panel border border-line bg-raised p-4 hover:border-edge"
      >
        <AppMark name={name} logoUri={logoUri} logos={logos} />
        <span className="grid min-w-0 gap-0.5">
          <span className="font-semibold [overflow-wrap:anywhere]">{name}</span>
          <span className="text-muted text-small [overflow-wrap:anywhere]">{host}</span>
        </span>
      </a>
    </li>
  )
}

/** Nothing, if nothing waits. */
async function ToDo({ session }: { session: Session }) {
  const { home: words } = (await currentMessages()).account
  const portal = await op()
  const locale = await currentLocale()
  const waiting = await countWaitingFor(portal, session.user.id)
  const changes = (await changesWaitingFor(portal, session.user.id)).length
  const asked = await openRequestsOf(portal, session)
  const all = [
    ['/account/approvals', waiting, words.decide],
    ['/account/apps', changes, words.changes],
    ['/account/access', asked, words.asked],
  ] as const
  const open = all.filter(([, count]) => count > 0)
  if (open.length === 0) return null
  return (
    <Section title={words.waits}>
      <ul className="grid gap-3">
        {open.map(([href, count, text]) => (
          <li key={href}>
            <LinkButton href={href} tone="quiet">
              {plural(locale, text, count)}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Section>
  )
}
