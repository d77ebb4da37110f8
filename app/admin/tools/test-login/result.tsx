import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { type AdminApi, withQuery } from '@/lib/admin/api'
import type { TestLoginWire } from '@/lib/api/applications/test-logins'
import { currentLocale, currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { Fact, Facts } from '../../_ui/facts'
import { JsonBlock } from '../../_ui/json-block'
import { userParty } from '../../_ui/parties'

type Props = { api: AdminApi; result: TestLoginWire }
type Words = Messages['admin']['tools']['result']

export async function Result({ api, result }: Props) {
  const { result: words } = (await currentMessages()).admin.tools
  const { client, asked, ended } = result
  const user = result.user ?? api.session.user.id
  return (
    <>
      <Outcome api={api} result={result} />
      <Section title={words.steps}>
        <Steps result={result} />
        <div className="flex flex-wrap gap-3">
          <LinkButton
            href={withQuery('/admin/simulator', { client, user, scope: asked })}
            tone="quiet"
          >
            {words.simulate}
          </LinkButton>
          <LinkButton href={withQuery('/admin/tools', { client, scope: asked })} tone="quiet">
            {words.again}
          </LinkButton>
        </div>
      </Section>
      {ended === 'well' && (
        <div className="grid items-start gap-5 xl:grid-cols-2">
          <Token title={words.accessToken} token={result.accessToken} none="" words={words} />
          <Token
            title={words.idToken}
            token={result.idToken}
            none={words.noIdToken}
            words={words}
          />
          <Section title={words.userinfo}>
            {result.userinfo ? (
              <JsonBlock value={result.userinfo} label={words.userinfo} />
            ) : (
              <p className="text-muted">{words.noUserinfo}</p>
            )}
          </Section>
        </div>
      )}
    </>
  )
}

async function Outcome({ api, result: { ended, user, error } }: Props) {
  const { result: words } = (await currentMessages()).admin.tools
  const well = ended === 'well'
  const tone = well ? 'border-accent bg-wash' : 'border-danger bg-danger-wash'
  const name = user === null ? null : await userParty(api, user)
  const text = well
    ? fill(words.wellText, { user: name?.name ?? user ?? '' })
    : meaningOf(words, error)
  return (
    <section role="status" className={`grid gap-2 rounded-panel border px-5 py-4 ${tone}`}>
      <h2 className="font-semibold text-lead">{words[ended]}</h2>
      <p>{text}</p>
    </section>
  )
}

function meaningOf({ meanings, unknown }: Words, error: string | null): string {
  const known: Readonly<Record<string, string>> = meanings
  return known[error ?? ''] ?? unknown
}

async function Steps({ result }: { result: TestLoginWire }) {
  const { access, tools } = (await currentMessages()).admin
  const { result: words } = tools
  const codes: Readonly<Record<string, string>> = access.codes
  const { asked, scope, reasons, error, description, expires_in, refreshToken, ended } = result
  return (
    <Facts>
      <Fact term={words.asked}>
        <Scopes scopes={asked} none={words.defaults} />
      </Fact>
      {ended === 'well' && (
        <Fact term={words.granted}>
          <Scopes scopes={scope} none="–" />
        </Fact>
      )}
      {reasons.map((reason) => (
        <Fact key={reason.scope} term={words.refused}>
          <code className="code">{reason.scope}</code>
          <span>{codes[reason.code] ?? reason.code}</span>
        </Fact>
      ))}
      {error !== null && (
        <Fact term={words.error}>
          <code className="code">{error}</code>
        </Fact>
      )}
      {description !== null && <Fact term={words.said}>{description}</Fact>}
      {expires_in !== null && (
        <Fact term={words.expires}>{plural(await currentLocale(), words.seconds, expires_in)}</Fact>
      )}
      {ended === 'well' && (
        <Fact term={words.refreshToken}>{refreshToken ? words.given : words.notGiven}</Fact>
      )}
    </Facts>
  )
}

function Scopes({ scopes, none }: { scopes: string; none: string }) {
  if (scopes === '') return none
  return scopes.split(' ').map((scope) => (
    <code key={scope} className="code">
      {scope}
    </code>
  ))
}

type TokenProps = {
  title: string
  token: TestLoginWire['accessToken']
  none: string
  words: Words
}

function Token({ title, token, none, words }: TokenProps) {
  return (
    <Section title={title}>
      {token ? (
        <>
          <JsonBlock value={token.claims} label={`${title}: ${words.claims}`} />
          <details>
            <summary className="min-h-9 cursor-pointer content-center text-link text-small">
              {words.header}
            </summary>
            <JsonBlock value={token.header} label={`${title}: ${words.header}`} />
          </details>
        </>
      ) : (
        <p className="text-muted">{none}</p>
      )}
    </Section>
  )
}
