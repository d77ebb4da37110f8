import { LinkButton } from '@/app/_ui/link-button'
import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { type ChoiceKind, meantBy, type TypedChoice } from '@/lib/admin/choice'
import { daysIn, WINDOWS } from '@/lib/admin/days'
import { groupRefusals } from '@/lib/api/replay/routes'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps, SearchParams } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { Choose, ChooseScopes } from '../../_ui/choose'
import { Empty } from '../../_ui/empty'
import { AdminForm, Select, TextArea } from '../../_ui/form'
import { AdminFrame } from '../../_ui/frame'
import { GovernanceTabs } from '../../governance/tabs'
import { startReplay } from './actions'
import { Refusals } from './refusals'
import { ReplayResult } from './result'

export const generateMetadata = pageTitle(({ admin }) => admin.access.replay.title)

export default async function ReplayPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/reports/replay')
  const params = await searchParams
  const days = daysIn(params)
  const { replay: words } = (await currentMessages()).admin.access
  return (
    <AdminFrame api={api} page="/admin/governance" title={words.title} intro={words.intro}>
      <GovernanceTabs api={api} at="replay" />
      <DraftForm api={api} params={params} days={days} />
      <Refused api={api} days={days} />
    </AdminFrame>
  )
}

type DraftProps = { api: AdminApi; params: SearchParams; days: number }

async function DraftForm({ api, params, days }: DraftProps) {
  const { admin, common } = await currentMessages()
  const { replay: words } = admin.access
  const [role, application] = await Promise.all([
    namedIn(api, 'role', params.role),
    namedIn(api, 'application', params.application),
  ])
  const add = typeof params.add === 'string' ? params.add : undefined
  const options = WINDOWS.map(
    (one) => [String(one), fill(words.daysOf, { days: String(one) })] as const,
  )
  return (
    <div id="draft">
      <AdminForm
        action={startReplay}
        words={{ submit: words.submit, busy: words.busy, problem: common.problem }}
      >
        <Section title={words.draft} text={words.draftText}>
          <div className="field-row">
            <Choose name="role" kind="role" label={words.role} {...role} />
            <Choose
              name="application"
              kind="application"
              label={words.application}
              {...application}
            />
            <ChooseScopes name="add" label={words.add} value={add} />
            <ChooseScopes name="remove" label={words.remove} />
          </div>
          <TextArea name="file" label={words.file} hint={words.fileHint} rows={4} code />
          <Select name="days" label={words.days} defaultValue={String(days)} options={options} />
        </Section>
        <ReplayResult words={words} />
      </AdminForm>
    </div>
  )
}

async function namedIn(
  api: AdminApi,
  kind: ChoiceKind,
  asked: unknown,
): Promise<{ value?: string; meant?: TypedChoice }> {
  if (typeof asked !== 'string' || asked === '') return {}
  return { value: asked, meant: await meantBy(api, kind, asked) }
}

async function Refused({ api, days }: { api: AdminApi; days: number }) {
  const { replay: words } = (await currentMessages()).admin.access
  const part = await api.send(groupRefusals, { body: { days } })
  if (!part.ok) return <p className="font-medium">{words.refusalsBusy}</p>
  const { body: first } = part
  if (first.decisions === 0 && first.next === null) {
    return (
      <Empty title={words.none} text={words.noneText}>
        {api.may('settings:read') && (
          <LinkButton href="/admin/settings" tone="quiet">
            {words.settings}
          </LinkButton>
        )}
      </Empty>
    )
  }
  return (
    <Section title={words.refusals} text={fill(words.refusalsText, { days: String(days) })}>
      <Refusals first={first} days={days} words={words} />
    </Section>
  )
}
