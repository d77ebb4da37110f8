import type { Metadata } from 'next'
import { SubmitButton } from '@/app/_ui/submit-button'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { CONTEXT_FIELDS, contextOf, textsIn } from '@/lib/admin/context-fields'
import type { SearchParams } from '@/lib/admin/list'
import { personId } from '@/lib/admin/person'
import { type ExplainedWire, explainPermission } from '@/lib/api/routes/decisions'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { AskAndAnswer, QuestionForm } from '../_ui/ask-and-answer'
import { Empty } from '../_ui/empty'
import { Explanation } from '../_ui/explanation'
import { TextInput } from '../_ui/form'
import { AdminFrame } from '../_ui/frame'
import { Mistake } from '../_ui/mistake'
import { namesOf, OccasionFields } from '../_ui/occasion-fields'
import { groupsIn, type Party, userParty } from '../_ui/parties'
import { PermissionSuggestions, UserSuggestions } from '../_ui/suggestions'
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
  const { admin } = await currentMessages()
  const { why: words } = admin.access
  return (
    <AdminFrame api={api} page="/admin/why" title={admin.pages['/admin/why']} intro={words.intro}>
      <AskAndAnswer question={<Question api={api} asked={asked} />}>
        {asked.user === undefined ? (
          <Empty title={words.emptyTitle} text={words.empty} />
        ) : (
          <Answer api={api} asked={asked} user={asked.user} />
        )}
      </AskAndAnswer>
    </AdminFrame>
  )
}

async function Question({ api, asked }: { api: AdminApi; asked: Asked }) {
  const { why: words } = (await currentMessages()).admin.access
  return (
    <QuestionForm page="/admin/why">
      <TextInput
        name="user"
        list="users"
        label={words.user}
        hint={words.userHint}
        defaultValue={asked.user}
      />
      <UserSuggestions api={api} id="users" />
      <TextInput
        name="permission"
        list="permissions"
        label={words.permission}
        hint={words.permissionHint}
        defaultValue={asked.permission}
      />
      <PermissionSuggestions api={api} id="permissions" />
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

async function Answer({ api, asked, user }: { api: AdminApi; asked: Asked; user: string }) {
  const { why: words } = (await currentMessages()).admin.access
  const party = await userParty(api, user)
  if (!party) return <Mistake told={[{ field: 'user', text: words.noUser }]} />
  const id = await personId(api, user)
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
