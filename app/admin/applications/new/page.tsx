import { QuietLink } from '@/app/_ui/quiet-link'
import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { BY_KIND } from '@/lib/api/applications/rules'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { APPLICATION_KINDS } from '@/lib/oidc/client'
import { AdminForm, Check } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import { AdminFrame } from '../../_ui/frame'
import { createApplication } from '../actions'
import { Names } from '../names'
import { onceWords } from '../once'
import { ShownOnce } from '../shown-once'
import { UriLines } from '../uri-lines'

export const generateMetadata = pageTitle(({ admin }) => admin.applications.wizard.title)

type Kind = ApplicationWire['kind']
type Words = Messages['admin']['applications']
/** First which kind, then the little that is left to say. The address says which of the two it is. */
export default async function NewApplicationPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/applications/new')
  const { applications: words } = (await currentMessages()).admin
  const { kind: asked, from } = await searchParams
  const kind = APPLICATION_KINDS.find((one) => one === asked)
  return (
    <AdminFrame
      api={api}
      page="/admin/applications"
      title={kind ? `${words.wizard.title}: ${words.kinds[kind]}` : words.wizard.title}
      above={{ href: '/admin/applications', label: words.title }}
    >
      {kind ? (
        <Details kind={kind} isStep={from === 'steps'} words={words} />
      ) : (
        <Kinds words={words} offersApi={api.may('resources:write')} />
      )}
    </AdminFrame>
  )
}

/** An API is registered elsewhere, but whoever looks for it looks here. */
function Kinds({ words, offersApi }: { words: Words; offersApi: boolean }) {
  return (
    <section className="grid max-w-[56rem] gap-5">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lead">{words.wizard.which}</h2>
        <p className="text-muted">{words.wizard.whichHint}</p>
      </div>
      <ul className="grid gap-4 sm:grid-cols-2">
        {APPLICATION_KINDS.map((kind) => (
          <KindCard
            key={kind}
            href={`/admin/applications/new?kind=${kind}`}
            title={words.kinds[kind]}
            text={words.kindTexts[kind]}
          />
        ))}
        {offersApi && (
          <KindCard href="/admin/apis/new" title={words.wizard.api} text={words.wizard.apiText} />
        )}
      </ul>
    </section>
  )
}

function KindCard({ href, title, text }: { href: string; title: string; text: string }) {
  return (
    <li className="relative grid content-start gap-2 rounded-panel border border-line bg-raised p-5 focus-within:border-accent hover:border-accent">
      <h3 className="font-semibold text-lead">
        <a href={href} className="text-link after:absolute after:inset-0">
          {title}
        </a>
      </h3>
      <p className="text-muted">{text}</p>
    </li>
  )
}

type DetailsProps = { kind: Kind; isStep: boolean; words: Words }

async function Details({ kind, isStep, words }: DetailsProps) {
  return (
    <div className="grid max-w-[42rem] gap-6">
      <div className="grid gap-1 rounded-panel border border-line bg-raised px-5 py-4">
        <h2 className="font-semibold">{words.wizard.defaults}</h2>
        <p className="text-muted">{words.wizard.defaultTexts[kind]}</p>
      </div>
      <AdminForm
        action={createApplication}
        words={await formWords('create')}
        hidden={{ kind, ...(isStep && { from: 'steps' }) }}
        made={<ShownOnce words={await onceWords()} />}
        aside={<QuietLink href="/admin/applications/new">{words.wizard.another}</QuietLink>}
      >
        <Names kind={kind} />
        {hasAddresses(kind) && <Addresses kind={kind} words={words} />}
        {'profileInIdToken' in BY_KIND[kind] && <WhereClaimsGo words={words} />}
      </AdminForm>
    </div>
  )
}

/** A box that is not ticked is not sent: the field beside it says that there was one. */
function WhereClaimsGo({ words }: { words: Words }) {
  return (
    <>
      <input type="hidden" name="asksForClaims" value="yes" />
      <Check name="profileInIdToken" {...words.settings.flags.profileInIdToken} checked />
    </>
  )
}

/** A device and a machine send nobody anywhere. */
function hasAddresses(kind: Kind): boolean {
  return kind !== 'machine' && kind !== 'device'
}

const PLACEHOLDERS: Record<Kind, string> = {
  web: 'https://app.example.com/api/auth/callback/gatehouse',
  spa: 'https://app.example.com/callback',
  native: 'http://127.0.0.1/callback',
  device: '',
  machine: '',
}

async function Addresses({ kind, words }: { kind: Kind; words: Words }) {
  const { optional } = (await currentMessages()).admin.form
  const { uris } = words
  return (
    <>
      <UriLines
        {...worded(uris, 'redirect', 'redirectUris')}
        placeholder={PLACEHOLDERS[kind]}
        of={kind}
        words={uris}
      />
      <UriLines
        {...worded(uris, 'postLogout', 'postLogoutRedirectUris')}
        mark={optional}
        rows={2}
        of={kind}
        words={uris}
      />
      {kind === 'spa' && (
        <UriLines
          name="origins"
          label={uris.origins}
          mark={optional}
          hint={words.wizard.originsHint}
          rows={2}
          of="origin"
          words={uris}
        />
      )}
    </>
  )
}
