import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Removal } from '@/app/_ui/removal'
import { Section } from '@/app/_ui/section'
import type { AppScope, ConnectedApp } from '@/lib/accounts/connected-apps'
import { currentLocale, currentMessages, currentTextPicker } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { timeAgo } from '@/lib/i18n/time-ago'
import { pauseOne, removeOne, resumeOne, saveChoices } from './actions'
import { AgentFacts } from './agent-facts'

type Words = Messages['account']['apps']

/** One application, what it may do, and what to do about it. */
export async function App({ app }: { app: ConnectedApp }) {
  const { apps: words } = (await currentMessages()).account
  const locale = await currentLocale()
  const when = timeAgo(app.decidedAt, new Date(), locale)
  const used =
    app.lastUsedAt === null
      ? words.notUsed
      : fill(words.used, { when: timeAgo(app.lastUsedAt, new Date(), locale) })
  return (
    <Section title={app.name} text={[fill(words.granted, { when }), used].join(' · ')}>
      {app.pausedAt && (
        <p role="status" className="rounded-control border border-line bg-wash p-3 font-medium">
          {fill(words.paused, { when: timeAgo(app.pausedAt, new Date(), locale) })}
        </p>
      )}
      {app.firstParty && <p className="text-muted">{words.belongs}</p>}
      {app.agent && <AgentFacts agent={app.agent} />}
      {app.opensAt !== null && <OpenLink app={app} at={app.opensAt} words={words} />}
      <ScopesForm app={app} />
      <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
        <PauseForm app={app} words={words} />
        <RemoveForm app={app} words={words} />
      </div>
    </Section>
  )
}

async function ScopesForm({ app }: { app: ConnectedApp }) {
  const { consent, account } = await currentMessages()
  const { apps: words } = account
  const inWords = await currentTextPicker()
  const signIn: Record<string, string> = consent.signInScopes
  const apis = [...new Set(app.others.map(({ apiName }) => apiName))]
  return (
    // A new key when the answers change: the boxes show what is stored.
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
          name={fill(words.saveNamed, { app: app.name })}
        />
      </div>
    </form>
  )
}

/** Away from here, so it says where. */
function OpenLink({ app, at, words }: FormProps & { at: string }) {
  const { host } = new URL(at)
  return (
    <p>
      <a
        href={at}
        rel="noopener noreferrer"
        aria-label={fill(words.openNamed, { app: app.name, host })}
        className="text-link"
      >
        {fill(words.open, { host })}
      </a>
    </p>
  )
}

type FormProps = { app: ConnectedApp; words: Words }

function PauseForm({ app, words }: FormProps) {
  const named = { app: app.name }
  return (
    <form action={app.pausedAt ? resumeOne : pauseOne}>
      <input type="hidden" name="application" value={app.id} />
      {app.pausedAt ? (
        <QuietSubmit
          label={words.resume}
          busyLabel={words.resuming}
          name={fill(words.resumeNamed, named)}
        />
      ) : (
        <QuietSubmit
          label={words.pause}
          busyLabel={words.pausing}
          name={fill(words.pauseNamed, named)}
        />
      )}
    </form>
  )
}

function RemoveForm({ app, words }: FormProps) {
  const named = { app: app.name }
  return (
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
