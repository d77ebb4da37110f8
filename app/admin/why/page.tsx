import { SubmitButton } from '@/app/_ui/submit-button'
import { worded } from '@/app/_ui/worded'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { meaningProblem, meantIn, type TypedChoice } from '@/lib/admin/choice'
import { CONTEXT_FIELDS, contextOf, textsIn } from '@/lib/admin/context-fields'
import { type ExplainedWire, explainPermission } from '@/lib/api/permissions/decisions'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { AskAndAnswer, QuestionForm } from '../_ui/ask-and-answer'
import { Choose } from '../_ui/choose'
import { DecisionContextFields, namesOf } from '../_ui/decision-context-fields'
import { Empty } from '../_ui/empty'
import { Explanation } from '../_ui/explanation'
import { TextInput } from '../_ui/form'
import { AdminFrame } from '../_ui/frame'
import { Mistake } from '../_ui/mistake'
import { groupsIn, type Party, userParty } from '../_ui/parties'
import { Everything } from './everything'

export const generateMetadata = pageTitle(({ admin }) => admin.pages['/admin/why'])

const FIELDS = ['user', 'permission', 'instance', ...CONTEXT_FIELDS] as const
type Asked = Partial<Record<(typeof FIELDS)[number], string>>

export default async function WhyPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/why')
  const asked = textsIn(await searchParams, FIELDS)
  const { user } = await meantIn(api, { user: 'user' }, asked)
  const { admin } = await currentMessages()
  const { why: words } = admin.access
  return (
    <AdminFrame api={api} page="/admin/why" title={admin.pages['/admin/why']} intro={words.intro}>
      <AskAndAnswer question={<Question asked={asked} user={user} />}>
        {user === undefined ? (
          <Empty title={words.emptyTitle} text={words.empty} />
        ) : (
          <Answer api={api} asked={asked} user={user} />
        )}
      </AskAndAnswer>
    </AdminFrame>
  )
}

async function Question({ asked, user }: { asked: Asked; user: TypedChoice | undefined }) {
  const { why: words } = (await currentMessages()).admin.access
  return (
    <QuestionForm page="/admin/why">
      <Choose {...worded(words, 'user')} kind="user" value={asked.user} meant={user} />
      <Choose {...worded(words, 'permission')} kind="permission" value={asked.permission} />
      <TextInput {...worded(words, 'instance')} defaultValue={asked.instance} />
      <DecisionContextFields texts={asked} />
      <SubmitButton label={words.run} busyLabel={words.run} />
    </QuestionForm>
  )
}

async function Answer({ api, asked, user }: { api: AdminApi; asked: Asked; user: TypedChoice }) {
  const { choose } = await currentMessages()
  if ('problem' in user)
    return <Mistake told={[{ field: 'user', text: meaningProblem(user, choose) ?? '' }]} />
  const { id } = user.found
  const party = (await userParty(api, id)) ?? { href: '/admin/users', name: user.found.name }
  const { permission, instance } = asked
  if (permission === undefined) {
    return <Everything api={api} user={id} name={party.name} instance={instance} />
  }
  return <OnePermission api={api} asked={{ ...asked, user: id, permission }} party={party} />
}

type OneProps = {
  api: AdminApi
  asked: Asked & { user: string; permission: string }
  party: Party
}

async function OnePermission({ api, asked, party }: OneProps) {
  const { context: contextWords, why: words } = (await currentMessages()).admin.access
  const context = contextOf(asked)
  if (context === null)
    return <Mistake told={[{ field: 'properties', text: contextWords.propertiesWrong }]} />
  const { user, permission, instance } = asked
  const body = {
    user,
    permission,
    ...(instance !== undefined && { resource: { id: instance } }),
    ...(Object.keys(context).length > 0 && { context }),
  }
  const answer = await api.send(explainPermission, { body })
  if (answer.ok) {
    return <Decision api={api} answer={answer.body} permission={permission} party={party} />
  }
  const names = { user: words.user, permission: words.permission, ...namesOf(contextWords) }
  return <Mistake problem={answer.problem} names={names} />
}

type DecisionProps = { api: AdminApi; answer: ExplainedWire; permission: string; party: Party }

async function Decision({ api, answer, permission, party }: DecisionProps) {
  const { codes, why: words } = (await currentMessages()).admin.access
  const { allowed, code } = answer
  const tone = allowed ? 'border-accent bg-wash' : 'border-danger bg-danger-wash'
  const title = fill(allowed ? words.can : words.cannot, { user: party.name, permission })
  return (
    <>
      <section role="status" className={`grid gap-2 rounded-panel border px-5 py-4 ${tone}`}>
        <h2 className="font-semibold text-lead [overflow-wrap:anywhere]">{title}</h2>
        <p>{code === undefined ? words.canText : codes[code]}</p>
      </section>
      <section className="rounded-panel border border-line bg-raised px-5 py-5">
        <Explanation
          explanation={answer}
          granted={allowed}
          heading="h3"
          parties={{ user: party, groups: await groupsIn(api, [answer]) }}
        />
      </section>
    </>
  )
}
