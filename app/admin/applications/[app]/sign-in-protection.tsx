import { Section } from '@/app/_ui/section'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import type { ApplicationUsage } from '@/lib/api/applications/people'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { CLIENT_SETTINGS } from '@/lib/quick-start/client-settings'
import { Fact, Facts } from '../../_ui/facts'

type Props = { app: ApplicationWire; used: ApplicationUsage['signInUsed'] }

/** Which of the PKCE settings holds, what the client was seen to use, and what to switch on in it. */
export async function SignInProtection({ app, used }: Props) {
  const { protection: words, settings } = (await currentMessages()).admin.applications
  const seen = (one: boolean | undefined) =>
    one === undefined ? words.neverSeen : one ? words.used : words.notUsed
  return (
    <Section title={words.title} text={words.text}>
      <Facts>
        <Fact term={settings.pkce}>{settings.pkceSettings[app.pkce]}</Fact>
        <Fact term={words.pkce}>{seen(used?.pkce)}</Fact>
        <Fact term={words.nonce}>{seen(used?.nonce)}</Fact>
      </Facts>
      <p className="max-w-[46rem]">{adviceFor(words, app, used)}</p>
      {!used?.pkce && <Switches words={words} />}
      <p>
        <a
          href={`/admin/applications/${encodeURIComponent(app.id)}/settings#pkce`}
          className="text-link"
        >
          {words.change}
        </a>
      </p>
    </Section>
  )
}

type Words = Messages['admin']['applications']['protection']

function adviceFor(
  words: Words,
  { authMethods, pkce, pkceLearned }: ApplicationWire,
  used: Props['used'],
) {
  const { advice } = words
  if (authMethods.includes('none')) return advice.public
  if (pkce === 'required') return advice.required
  if (pkce === 'learned') return pkceLearned ? advice.learned : advice.waiting
  return used?.pkce ? advice.requireIt : advice.switchOn
}

function Switches({ words }: { words: Words }) {
  return (
    <details className="max-w-[46rem]">
      <summary className="cursor-pointer font-medium">{words.switches}</summary>
      <dl className="mt-3 grid gap-x-6 gap-y-1 sm:grid-cols-[auto_1fr]">
        {CLIENT_SETTINGS.map(({ client, pkce }) => (
          <div key={client} className="contents">
            <dt className="font-medium">{client}</dt>
            <dd className="text-muted max-sm:mb-2 [overflow-wrap:anywhere]">
              {pkce ? (
                <code className="code">{pkce}</code>
              ) : (
                words[pkce === null ? 'byItself' : 'cannot']
              )}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
