import type { Metadata } from 'next'
import { SubmitButton } from '@/app/_ui/submit-button'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { contextOf, textsIn } from '@/lib/admin/context-fields'
import type { SearchParams } from '@/lib/admin/list'
import { personId } from '@/lib/admin/person'
import { decideScopes } from '@/lib/api/routes/dry-run'
import { currentMessages } from '@/lib/browser/locale'
import { AskAndAnswer, QuestionForm } from '../_ui/ask-and-answer'
import { Empty } from '../_ui/empty'
import { TextArea, TextInput } from '../_ui/form'
import { AdminFrame } from '../_ui/frame'
import { Mistake } from '../_ui/mistake'
import { namesOf, OccasionFields } from '../_ui/occasion-fields'
import { ClientSuggestions, ResourceSuggestions, UserSuggestions } from '../_ui/suggestions'
import { Outcome } from './outcome'
import { SIMULATOR_FIELDS, type SimulatorQuestion } from './question'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.pages['/admin/simulator'] }
}

type Props = { searchParams: Promise<SearchParams> }

export default async function SimulatorPage({ searchParams }: Props) {
  const api = await adminPage('/admin/simulator')
  const asked = textsIn(await searchParams, SIMULATOR_FIELDS)
  const { admin } = await currentMessages()
  const { simulator: words } = admin.access
  return (
    <AdminFrame
      api={api}
      page="/admin/simulator"
      title={admin.pages['/admin/simulator']}
      intro={words.intro}
    >
      <AskAndAnswer question={<Question api={api} asked={asked} />}>
        {asked.client === undefined ? (
          <Empty title={words.emptyTitle} text={words.empty} />
        ) : (
          <Answer api={api} asked={asked} />
        )}
      </AskAndAnswer>
    </AdminFrame>
  )
}

async function Question({ api, asked }: { api: AdminApi; asked: SimulatorQuestion }) {
  const { simulator: words } = (await currentMessages()).admin.access
  return (
    <QuestionForm page="/admin/simulator">
      <TextInput
        name="client"
        list="clients"
        label={words.client}
        hint={words.clientHint}
        defaultValue={asked.client}
      />
      <ClientSuggestions api={api} id="clients" />
      <TextInput
        name="user"
        list="users"
        label={words.user}
        hint={words.userHint}
        defaultValue={asked.user}
      />
      <UserSuggestions api={api} id="users" />
      <TextArea
        name="scope"
        rows={2}
        code
        label={words.scope}
        hint={words.scopeHint}
        defaultValue={asked.scope}
      />
      <TextInput
        name="resource"
        list="resources"
        label={words.resource}
        hint={words.resourceHint}
        defaultValue={asked.resource}
      />
      <ResourceSuggestions api={api} id="resources" />
      <OccasionFields occasion={asked} />
      <SubmitButton label={words.run} busyLabel={words.run} />
    </QuestionForm>
  )
}

async function Answer({ api, asked }: { api: AdminApi; asked: SimulatorQuestion }) {
  const { context: contextWords, simulator } = (await currentMessages()).admin.access
  const context = contextOf(asked)
  if (context === null)
    return <Mistake told={[{ field: 'properties', text: contextWords.propertiesWrong }]} />
  const { client, user, scope, resource } = asked
  const body = {
    client,
    ...(user !== undefined && { user: await personId(api, user) }),
    // Lines are as good as spaces.
    ...(scope !== undefined && { scope: scope.split(/\s+/).join(' ') }),
    ...(resource !== undefined && { resource: [resource] }),
    ...(Object.keys(context).length > 0 && { context }),
  }
  const answer = await api.send(decideScopes, { body })
  if (answer.ok) return <Outcome api={api} asked={asked} answer={answer.body} />
  const { client: clientName, user: userName, scope: scopeName, resource: resourceName } = simulator
  const names = { client: clientName, user: userName, scope: scopeName, resource: resourceName }
  return <Mistake problem={answer.problem} names={{ ...names, ...namesOf(contextWords) }} />
}
