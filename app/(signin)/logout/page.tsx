import { EmptyState } from '@/app/_ui/empty-state'
import { Heading } from '@/app/_ui/heading'
import { LinkButton } from '@/app/_ui/link-button'
import { PageFrame } from '@/app/_ui/page-frame'
import { SubmitButton } from '@/app/_ui/submit-button'
import { currentMessages, currentPath, currentSettings, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { currentSession, otherSessions, type Session } from '@/lib/browser/session'
import { fill } from '@/lib/i18n/fill'
import { findAsker } from '@/lib/oidc/end-session'
import { placeOf } from '@/lib/oidc/redirect-uri'
import { isUnknownPublisher } from '@/lib/oidc/unknown-publisher'
import { op } from '@/lib/op'
import { signOut } from './actions'

export const generateMetadata = pageTitle(({ logout }) => logout.title)

/** What an application asked of /oidc/session/end, to be taken up again there. */
async function currentRequest(): Promise<string> {
  return (await currentPath()).split('?')[1] ?? ''
}

export default async function LogoutPage({ searchParams }: PageProps) {
  const session = await currentSession()
  const { done } = await searchParams
  return (
    <PageFrame gate={session ? 'open' : 'shut'}>
      {session ? (
        <Question user={session.user} request={await currentRequest()} />
      ) : (
        <SignedOut done={done} request={await currentRequest()} />
      )}
    </PageFrame>
  )
}

async function Question({ user, request }: { user: Session['user']; request: string }) {
  const { logout } = await currentMessages()
  const { name } = (await currentSettings()).branding
  const who = user.email ?? user.name ?? user.id
  const several = (await otherSessions()).length > 0
  const app = (await findAsker(await op(), request))?.application.name
  return (
    <form action={signOut} className="grid gap-8">
      <input type="hidden" name="request" value={request} />
      <Heading title={fill(logout.question, { name })} text={fill(logout.as, { who })} />
      <fieldset className="grid gap-3">
        <legend className="mb-3 font-semibold">{logout.reach}</legend>
        {app !== undefined && (
          <Reach
            value="app"
            label={fill(logout.reaches.app, { app })}
            text={logout.reachTexts.app}
          />
        )}
        <Reach value="here" label={logout.reaches.here} text={logout.reachTexts.here} checked />
        {several && <Reach value="all" label={logout.reaches.all} text={logout.reachTexts.all} />}
        <Reach
          value="everywhere"
          label={logout.reaches.everywhere}
          text={logout.reachTexts.everywhere}
        />
      </fieldset>
      <div className="flex flex-wrap gap-3">
        <SubmitButton label={logout.submit} busyLabel={logout.submitting} />
        <LinkButton href="/" tone="quiet">
          {logout.stay}
        </LinkButton>
      </div>
    </form>
  )
}

type ReachProps = { value: string; label: string; text: string; checked?: boolean }

function Reach({ value, label, text, checked = false }: ReachProps) {
  return (
    <label className="flex items-start gap-3 rounded-control border border-line bg-raised p-3 has-checked:border-accent">
      <input
        type="radio"
        name="reach"
        value={value}
        defaultChecked={checked}
        className="mt-1 size-4 accent-accent"
      />
      <span className="grid">
        <span className="font-medium">{label}</span>
        <span className="text-muted text-small">{text}</span>
      </span>
    </label>
  )
}

/** Where an unverified application wants people to go; the endpoint itself sends them to others. */
async function unverifiedReturn(request: string): Promise<string | null> {
  const portal = await op()
  const asker = await findAsker(portal, request)
  if (!asker?.backTo || !(await isUnknownPublisher(portal, asker.application))) return null
  return asker.backTo
}

async function SignedOut({ done, request }: { done: unknown; request: string }) {
  const { logout, common } = await currentMessages()
  const onward = await unverifiedReturn(request)
  const text = done === 'all' || done === 'everywhere' ? logout.dones[done] : logout.done
  const several = (await otherSessions()).length > 0
  return (
    <EmptyState title={logout.doneTitle} text={text}>
      {onward && (
        <div className="grid justify-items-start gap-3">
          <p className="max-w-prose text-muted">{logout.unverified}</p>
          <LinkButton href={onward} tone="quiet">
            {fill(logout.onward, { host: placeOf(onward) })}
          </LinkButton>
        </div>
      )}
      <div className="flex flex-wrap gap-3">
        {several ? (
          <LinkButton href="/accounts">{logout.others}</LinkButton>
        ) : (
          <LinkButton href="/login">{logout.again}</LinkButton>
        )}
        <LinkButton href="/" tone="quiet">
          {common.backToFront}
        </LinkButton>
      </div>
    </EmptyState>
  )
}
