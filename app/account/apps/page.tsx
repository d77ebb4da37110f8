import type { Metadata } from 'next'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Removal } from '@/app/_ui/removal'
import { Section } from '@/app/_ui/section'
import { type AppScope, type ConnectedApp, listConnectedApps } from '@/lib/accounts/connected-apps'
import { currentLocale, currentMessages, currentTextPicker } from '@/lib/browser/locale'
import { requireUser } from '@/lib/browser/session'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { op } from '@/lib/op'
import { AccountFrame } from '../frame'
import { removeOne, saveChoices } from './actions'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).account.apps.title }
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }
type Words = Messages['account']['apps']

export default async function AppsPage({ searchParams }: Props) {
  const session = await requireUser()
  const { done } = await searchParams
  const { apps: words } = (await currentMessages()).account
  const apps = await listConnectedApps(await op(), session)
  return (
    <AccountFrame page="apps" title={words.title} intro={words.intro} done={done}>
      {apps.length === 0 && <p className="text-muted">{words.none}</p>}
      {apps.map((app) => (
        <App key={app.id} app={app} words={words} />
      ))}
    </AccountFrame>
  )
}

async function App({ app, words }: { app: ConnectedApp; words: Words }) {
  const { consent } = await currentMessages()
  const locale = await currentLocale()
  const inWords = await currentTextPicker()
  const named = { app: app.name }
  const when = timeAgo(app.decidedAt, new Date(), locale)
  const used =
    app.lastUsedAt === null
      ? words.notUsed
      : fill(words.used, { when: timeAgo(app.lastUsedAt, new Date(), locale) })
  const signIn: Record<string, string> = consent.signInScopes
  const apis = [...new Set(app.others.map(({ apiName }) => apiName))]
  return (
    <Section title={app.name} text={[fill(words.granted, { when }), used].join(' · ')}>
      {/* A new key when the answers change: the boxes show what is stored. */}
      <form key={stateOf(app)} action={saveChoices} className="grid gap-6">
        <input type="hidden" name="application" value={app.id} />
        <Choices
          legend={words.signIn}
          scopes={app.signIn}
          sentenceOf={({ scope }) => signIn[scope] ?? scope}
          words={words}
        />
        {apis.map((api) => (
          <Choices
            key={api}
            legend={api === '' ? words.other : fill(words.in, { api })}
            scopes={app.others.filter(({ apiName }) => apiName === api)}
            sentenceOf={({ scope, sentences }) => inWords(sentences) ?? scope}
            words={words}
          />
        ))}
        <div>
          <QuietSubmit
            label={words.save}
            busyLabel={words.saving}
            name={fill(words.saveNamed, named)}
          />
        </div>
      </form>
      <Removal
        summary={words.remove}
        label={fill(words.removeAsk, named)}
        text={fill(words.removeText, named)}
      >
        <form action={removeOne}>
          <input type="hidden" name="application" value={app.id} />
          <QuietSubmit label={fill(words.removeNamed, named)} busyLabel={words.removing} />
        </form>
      </Removal>
    </Section>
  )
}

function stateOf({ signIn, others }: ConnectedApp): string {
  return [...signIn, ...others].map(({ scope, granted }) => `${scope} ${granted}`).join()
}

type ChoicesProps = {
  legend: string
  scopes: AppScope[]
  sentenceOf: (scope: AppScope) => string
  words: Words
}

function Choices({ legend, scopes, sentenceOf, words }: ChoicesProps) {
  if (scopes.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-2 font-semibold">{legend}</legend>
      <div className="grid gap-2">
        {scopes.map((choice) => (
          <label
            key={choice.scope}
            className="flex items-start gap-3 rounded-control border border-line p-3"
          >
            <input
              type="checkbox"
              name="scope"
              value={choice.scope}
              defaultChecked={choice.granted}
              disabled={choice.required}
              className="mt-1 size-5 shrink-0 accent-accent"
            />
            <span className="grid min-w-0">
              <span>{sentenceOf(choice)}</span>
              <span className="code text-muted">{choice.scope}</span>
              {choice.required && <span className="text-muted text-small">{words.required}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
