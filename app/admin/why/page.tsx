import type { Metadata } from 'next'
import { SubmitButton } from '@/app/_ui/submit-button'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { type Meant, meaningProblem, meantIn } from '@/lib/admin/choice'
import { CONTEXT_FIELDS, contextOf, textsIn } from '@/lib/admin/context-fields'
import type { SearchParams } from '@/lib/admin/list'
import { type ExplainedWire, explainPermission } from '@/lib/api/routes/decisions'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { AskAndAnswer, QuestionForm } from '../_ui/ask-and-answer'
import { Choose } from '../_ui/choose'
import { Empty } from '../_ui/empty'
import { Explanation } from '../_ui/explanation'
import { TextInput } from '../_ui/form'
import { AdminFrame } from '../_ui/frame'
import { Mistake } from '../_ui/mistake'
import { namesOf, OccasionFields } from '../_ui/occasion-fields'
import { groupsIn, type Party, userParty } from '../_ui/parties'
import { Everything } from './everything'

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await currentMessages()).admin.pages['/admin/why'] }
}

const FIELDS = ['user', 'permission', 'instance', ...CONTEXT_FIELDS] as const
type Asked = Partial<Record<(typeof FIELDS)[number], string>>

type Props = { searchParams: Promise<SearchParams> }

export default async function WhyPage({ searchParams }: Props) {
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

async function Question({ asked, user }: { asked: Asked; user: Meant | undefined }) {
  const { why: words } = (await currentMessages()).admin.access
  return (
    <QuestionForm page="/admin/why">
      <Choose
        name="user"
        kind="user"
        label={words.user}
        hint={words.userHint}
        value={asked.user}
        meant={user}
      />
      <Choose
        name="permission"
        kind="permission"
        label={words.permission}
        hint={words.permissionHint}
        value={asked.permission}
      />
      <TextInput
        name="instance"
        label={words.instance}
        hint={words.instanceHint}
        defaultValue={asked.instance}
      />
      <OccasionFields occasion={asked} />
      <SubmitButton label={words.run} busyLabel={words.run} />
    </QuestionForm>
  )
}

async function Answer({ api, asked, user }: { api: AdminApi; asked: Asked; user: Meant }) {
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
    return <Verdict api={api} answer={answer.body} permission={permission} party={party} />
  }
  const names = { user: words.user, permission: words.permission, ...namesOf(contextWords) }
  return <Mistake problem={answer.problem} names={names} />
}

type VerdictProps = { api: AdminApi; answer: ExplainedWire; permission: string; party: Party }

async function Verdict({ api, answer, permission, party }: VerdictProps) {
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
