import { SubmitButton } from '@/app/_ui/submit-button'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { foundIn, meaningProblem, meantIn, type TypedChoice } from '@/lib/admin/choice'
import { contextOf, textsIn } from '@/lib/admin/context-fields'
import { decideScopes } from '@/lib/api/impact/dry-run'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { AskAndAnswer, QuestionForm } from '../_ui/ask-and-answer'
import { Choose, ChooseScopes } from '../_ui/choose'
import { DecisionContextFields, namesOf } from '../_ui/decision-context-fields'
import { Empty } from '../_ui/empty'
import { AdminFrame } from '../_ui/frame'
import { Mistake } from '../_ui/mistake'
import { Outcome } from './outcome'
import { SIMULATOR_FIELDS, type SimulatorQuestion } from './question'

export const generateMetadata = pageTitle(({ admin }) => admin.pages['/admin/simulator'])

export default async function SimulatorPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/simulator')
  const asked = textsIn(await searchParams, SIMULATOR_FIELDS)
  const meant = await meantIn(api, KINDS, asked)
  const { admin } = await currentMessages()
  const { simulator: words } = admin.access
  return (
    <AdminFrame
      api={api}
      page="/admin/simulator"
      title={admin.pages['/admin/simulator']}
      intro={words.intro}
    >
      <AskAndAnswer question={<Question asked={asked} meant={meant} />}>
        {asked.client === undefined ? (
          <Empty title={words.emptyTitle} text={words.empty} />
        ) : (
          <Answer api={api} asked={asked} meant={meant} />
        )}
      </AskAndAnswer>
    </AdminFrame>
  )
}

const KINDS = { client: 'application', user: 'user', resource: 'api' } as const
type Named = Partial<Record<keyof typeof KINDS, TypedChoice>>

async function Question({ asked, meant }: { asked: SimulatorQuestion; meant: Named }) {
  const { simulator: words } = (await currentMessages()).admin.access
  return (
    <QuestionForm page="/admin/simulator">
      <Choose
        {...worded(words, 'client')}
        kind="application"
        value={asked.client}
        meant={meant.client}
      />
      <Choose {...worded(words, 'user')} kind="user" value={asked.user} meant={meant.user} />
      <ChooseScopes name="scope" label={words.scope} hint={words.scopeHint} value={asked.scope} />
      <Choose
        {...worded(words, 'resource')}
        kind="api"
        send="hint"
        value={asked.resource}
        meant={meant.resource}
      />
      <DecisionContextFields texts={asked} />
      <SubmitButton label={words.run} busyLabel={words.run} />
    </QuestionForm>
  )
}

type AnswerProps = { api: AdminApi; asked: SimulatorQuestion; meant: Named }

async function Answer({ api, asked, meant }: AnswerProps) {
  const { admin, choose } = await currentMessages()
  const { context: contextWords, simulator } = admin.access
  const wrong = Object.entries(meant).flatMap(([field, one]) => {
    const text = meaningProblem(one, choose)
    return text === undefined ? [] : [{ field, text }]
  })
  if (wrong.length > 0) return <Mistake told={wrong} />
  const context = contextOf(asked)
  if (context === null)
    return <Mistake told={[{ field: 'properties', text: contextWords.propertiesWrong }]} />
  const { scope } = asked
  const [client, user, resource] = [meant.client, meant.user, meant.resource].map(foundIn)
  const audience = resource && (resource.hint ?? resource.id)
  const body = {
    ...(client && { client: client.id }),
    ...(user && { user: user.id }),
    // Lines are as good as spaces.
    ...(scope !== undefined && { scope: scope.split(/\s+/).join(' ') }),
    ...(audience !== undefined && { resource: [audience] }),
    ...(Object.keys(context).length > 0 && { context }),
  }
  const answer = await api.send(decideScopes, { body })
  if (answer.ok) return <Outcome api={api} asked={asked} answer={answer.body} />
  const { client: clientName, user: userName, scope: scopeName, resource: resourceName } = simulator
  const names = { client: clientName, user: userName, scope: scopeName, resource: resourceName }
  return <Mistake problem={answer.problem} names={{ ...names, ...namesOf(contextWords) }} />
}
