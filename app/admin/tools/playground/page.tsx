import { CopyButton } from '@/app/_ui/copy-button'
import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { SubmitButton } from '@/app/_ui/submit-button'
import { worded } from '@/app/_ui/worded'
import { adminPage } from '@/lib/admin/api'
import { foundIn, meaningProblem, meantIn, type TypedChoice } from '@/lib/admin/choice'
import { textsIn } from '@/lib/admin/context-fields'
import { buildRequest, PLAYGROUND_FIELDS, type PlaygroundAsk } from '@/lib/admin/playground'
import { getApplication } from '@/lib/api/applications/applications'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { PROMPTS } from '@/lib/oidc/authorization-request'
import { op } from '@/lib/op'
import { AskAndAnswer, QuestionForm } from '../../_ui/ask-and-answer'
import { Choose, ChooseScopes } from '../../_ui/choose'
import { Empty } from '../../_ui/empty'
import { Fact, Facts } from '../../_ui/facts'
import { Select, TextInput } from '../../_ui/form'
import { AdminFrame } from '../../_ui/frame'
import { Mistake } from '../../_ui/mistake'
import { ToolTabs } from '../tabs'

export const generateMetadata = pageTitle(({ admin }) => admin.tools.playground.title)

const USUAL_SCOPES = 'openid profile email'

type Application = { id: string; redirectUris: string[]; authMethods: string[] }
export default async function PlaygroundPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/tools/playground')
  const params = await searchParams
  const usual = params.scope === undefined ? { scope: USUAL_SCOPES } : {}
  const ask = { ...usual, ...textsIn(params, PLAYGROUND_FIELDS) }
  const { admin, choose } = await currentMessages()
  const { playground: words, intro } = admin.tools
  const meant = await meantIn(api, { client: 'application', resource: 'api' }, ask)
  const found = foundIn(meant.client)
  const application = found && (await api.find(getApplication, { params: { id: found.id } }))
  return (
    <AdminFrame api={api} page="/admin/tools" title={admin.pages['/admin/tools']} intro={intro}>
      <ToolTabs at="/admin/tools/playground" />
      <AskAndAnswer
        question={<Question ask={ask} meant={meant} application={application ?? null} />}
      >
        {ask.client === undefined && <Empty title={words.emptyTitle} text={words.empty} />}
        {meant.client && !application && (
          <Mistake
            told={[
              {
                field: 'client',
                text: meaningProblem(meant.client, choose) ?? words.unknownClient,
              },
            ]}
          />
        )}
        {application && <Answer application={application} ask={ask} />}
      </AskAndAnswer>
    </AdminFrame>
  )
}

type QuestionProps = {
  ask: PlaygroundAsk
  meant: { client?: TypedChoice; resource?: TypedChoice }
  application: Application | null
}

async function Question({ ask, meant, application }: QuestionProps) {
  const { playground: words } = (await currentMessages()).admin.tools
  return (
    <QuestionForm page="/admin/tools/playground">
      <p className="text-muted">{words.text}</p>
      <Choose
        name="client"
        kind="application"
        label={words.client}
        value={ask.client}
        meant={meant.client}
      />
      {application && application.redirectUris.length > 0 && (
        <Select
          {...worded(words, 'redirect', 'redirect_uri')}
          defaultValue={ask.redirect_uri ?? application.redirectUris[0]}
          options={application.redirectUris.map((uri) => [uri, uri] as const)}
        />
      )}
      <ChooseScopes name="scope" label={words.scope} value={ask.scope} />
      <Select
        name="prompt"
        label={words.prompt}
        defaultValue={ask.prompt ?? ''}
        options={[['', words.promptNone], ...PROMPTS.map((prompt) => [prompt, prompt] as const)]}
      />
      <TextInput name="login_hint" label={words.loginHint} defaultValue={ask.login_hint} />
      <Choose
        name="resource"
        kind="api"
        send="hint"
        label={words.resource}
        value={ask.resource}
        meant={meant.resource}
      />
      <SubmitButton label={words.build} busyLabel={words.build} />
    </QuestionForm>
  )
}

async function Answer({ application, ask }: { application: Application; ask: PlaygroundAsk }) {
  const { playground: words } = (await currentMessages()).admin.tools
  const { id: client, redirectUris, authMethods } = application
  const asked = redirectUris.find((uri) => uri === ask.redirect_uri)
  const redirectUri = asked ?? redirectUris[0]
  if (redirectUri === undefined) return <Mistake told={[{ field: 'client', text: words.noFlow }]} />
  const known = { client, redirectUri, isPublic: authMethods.includes('none') }
  const { url, verifier, curl, parameters } = buildRequest((await op()).origin, known, ask)
  return (
    <>
      <Section title={words.url} text={words.openText}>
        <Code text={url} />
        <div>
          <LinkButton href={url} tone="quiet">
            {words.open}
          </LinkButton>
        </div>
        <details>
          <summary className="min-h-9 cursor-pointer content-center text-link text-small">
            {words.parameters}
          </summary>
          <Facts>
            {parameters.map(([name, value]) => (
              <Fact key={name} term={name}>
                <code className="code">{value}</code>
              </Fact>
            ))}
          </Facts>
        </details>
      </Section>
      <Section title={words.verifier} text={words.verifierText}>
        <Code text={verifier} />
      </Section>
      <Section title={words.exchange} text={words.exchangeText}>
        <Code text={curl} />
      </Section>
    </>
  )
}

async function Code({ text }: { text: string }) {
  const { common } = await currentMessages()
  return (
    <div className="flex items-start justify-between gap-3 rounded-control border border-line bg-paper py-2 ps-4 pe-1.5">
      <code className="min-w-0 whitespace-pre-wrap py-1.5 font-mono text-small [overflow-wrap:anywhere]">
        {text}
      </code>
      <CopyButton text={text} label={common.copy} doneLabel={common.copied} />
    </div>
  )
}
