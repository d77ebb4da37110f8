import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import { listApplicationRefusals, type RefusalWire } from '@/lib/api/applications/refusals'
import { momentText } from '@/lib/browser/clock'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { originsOf } from '@/lib/oidc/redirect-uri'
import type { FormerReason, RefusalReason } from '@/lib/oidc/refusal-reasons'
import { Empty } from '../../../_ui/empty'
import { Fact, Facts } from '../../../_ui/facts'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { takeOffer } from './actions'
import { RedirectDifference } from './redirect-difference'

export const generateMetadata = tabTitle('refusals')

export default async function RefusalsPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/refusals')
  const { body: app, version } = await readApp(api, (await params).app)
  const { done } = await searchParams
  const { refusals: words } = (await currentMessages()).admin.applications
  const { data } = await api.get(listApplicationRefusals, { params: { id: app.id } })
  const editing = { api, app, version: version ?? '' }
  return (
    <AppFrame api={api} app={app} tab="refusals" intro={words.intro} done={done}>
      {data.length === 0 && <Empty title={words.none} text={words.noneText} />}
      {data.map((refusal) => (
        <Refusal key={refusal.id} {...editing} refusal={refusal} />
      ))}
    </AppFrame>
  )
}

const ABOUT_ADDRESSES: ReadonlySet<string> = new Set(['redirect_uri', 'logout_redirect_uri'])

type Props = { api: AdminApi; app: ApplicationWire; version: string; refusal: RefusalWire }

async function Refusal(props: Props) {
  const { refusal } = props
  const { refusals: words, refusalReasons } = (await currentMessages()).admin.applications
  const { title, text, next } = wordsFor(refusal.reason, refusalReasons) ?? {
    title: words.events[refusal.event],
    text: refusal.reason,
  }
  return (
    <Section title={title} text={text}>
      {next !== undefined && (
        <p className="max-w-[46rem]">
          <strong className="font-semibold">{words.next}</strong> {next}
        </p>
      )}
      {ABOUT_ADDRESSES.has(refusal.reason) && <RedirectDifference facts={refusal.facts} />}
      <Facts>
        <Fact term={words.when}>{await momentText(refusal.at)}</Fact>
        <Fact term={words.request}>{words.events[refusal.event]}</Fact>
        {refusal.requestId !== null && (
          <Fact term={words.reference}>
            <code className="code">{refusal.requestId}</code>
          </Fact>
        )}
        {refusal.ip !== null && <Fact term={words.from}>{refusal.ip}</Fact>}
        {refusal.client !== null && refusal.client !== props.app.id && (
          <Fact term={words.client}>{refusal.client}</Fact>
        )}
        <SentFacts refusal={refusal} />
      </Facts>
      <Offer {...props} />
      <Elsewhere {...props} />
    </Section>
  )
}

type ReasonWords = { title: string; text: string; next?: string }

/** Undefined for an entry of an earlier version, whose reason is the text of the error. */
function wordsFor(
  reason: string,
  words: Readonly<Record<RefusalReason | FormerReason, ReasonWords>>,
): ReasonWords | undefined {
  const known: Readonly<Record<string, ReasonWords>> = words
  return Object.hasOwn(known, reason) ? known[reason] : undefined
}

/** Where it is mended by hand, and the whole entry. */
async function Elsewhere({ api, app, refusal }: Props) {
  const { refusals: words } = (await currentMessages()).admin.applications
  return (
    <p className="flex flex-wrap gap-x-5 gap-y-1">
      <a href={`/admin/applications/${encodeURIComponent(app.id)}/settings`} className="text-link">
        {words.openSettings}
      </a>
      {api.may('audit:read') && (
        <a href={`/admin/audit/${refusal.id}`} className="text-link">
          {words.openEntry}
        </a>
      )}
    </p>
  )
}

/** What the request contained, as far as it helps. */
async function SentFacts({ refusal: { reason, facts } }: Pick<Props, 'refusal'>) {
  const { refusals: words } = (await currentMessages()).admin.applications
  if (ABOUT_ADDRESSES.has(reason)) return null
  const labels: Record<string, string> = words.facts
  return Object.entries(facts)
    .filter(([name]) => Object.hasOwn(labels, name))
    .map(([name, value]) => (
      <Fact key={name} term={labels[name] ?? name}>
        <code className="code">{typeof value === 'string' ? value : JSON.stringify(value)}</code>
      </Fact>
    ))
}

type Words = Messages['admin']['applications']['refusals']

/** Every origin that would be allowed then, and not only the new one. */
function originSentence(words: Words, app: ApplicationWire, origins: string[] | null) {
  const { offers } = words
  const derived = originsOf(app.redirectUris)
  const said =
    origins === null
      ? fill(offers.originsDerived, { all: derived.join(', ') })
      : fill(offers.origins, { origin: origins.at(-1) ?? '', all: origins.join(', ') })
  return [offers.originsHint, said]
}

type AppWords = Messages['admin']['applications']
type OfferWire = NonNullable<RefusalWire['offer']>

/** What would be set, and what it costs. */
function offerSentences({ refusals, settings }: AppWords, app: ApplicationWire, offer: OfferWire) {
  const { offers } = refusals
  const { assertionAudience, assertionSeconds } = offer
  return [
    offer.pkce === 'not_required' && [
      settings.pkceHint,
      app.pkceLearned ? offers.forgetPkce : offers.noPkce,
    ],
    assertionAudience === 'compatible' && [settings.assertionAudienceHint, offers.compatible],
    assertionAudience &&
      assertionAudience !== 'compatible' && [
        settings.assertionAudienceHint,
        fill(offers.audience, { audience: settings.assertionAudiences[assertionAudience] }),
      ],
    offer.assertionAudienceList && [settings.flags.assertionAudienceList.hint, offers.audienceList],
    offer.origins !== undefined && originSentence(refusals, app, offer.origins),
    assertionSeconds && [
      settings.assertionSecondsHint,
      fill(offers.life, { seconds: String(assertionSeconds) }),
    ],
  ].filter((one) => typeof one === 'object')
}

async function Offer({ api, app, version, refusal }: Props) {
  const { applications } = (await currentMessages()).admin
  const { refusals: words } = applications
  const { offer } = refusal
  if (!offer) return null
  const sentences = offerSentences(applications, app, offer)
  return (
    <form
      action={takeOffer}
      className="grid max-w-[46rem] gap-3 rounded-control border border-line px-4 py-3"
    >
      <p className="font-semibold">{words.offer}</p>
      {sentences.map(([hint, what]) => (
        <p key={what}>
          {what} <span className="text-muted">{hint}</span>
        </p>
      ))}
      <p className="text-muted">{words.offerCaution}</p>
      <input type="hidden" name="id" value={app.id} />
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="refusal" value={refusal.id} />
      {api.may('applications:write') && (
        <div>
          <QuietSubmit label={words.take} busyLabel={words.taking} />
        </div>
      )}
    </form>
  )
}
