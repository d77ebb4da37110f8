import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { statusText } from '@/app/account/access/facts'
import { durationText } from '@/app/account/access/times'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import { getResourceById } from '@/lib/api/permissions/resource-overview'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import { listAccessRequests } from '@/lib/api/requests/routes'
import {
  getRequestRule,
  listRequestRules,
  type RequestRuleWire,
} from '@/lib/api/requests/rule-routes'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { DangerZone } from '../../../_ui/danger'
import { Empty } from '../../../_ui/empty'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { Rows } from '../../../_ui/rows'
import { StateBadge } from '../../../_ui/state-badge'
import { ApiFrame } from '../frame'
import { createRule, deleteRule, saveRule } from './actions'
import { EmergencyFact, keepsReviewers } from './emergency-fields'
import { RuleFields } from './fields'
import { Steps } from './steps'

export const generateMetadata = pageTitle(({ admin }) => admin.requestRules.title)

const MAX_RULES = 200

/** What people may ask for at an API, and who decides; with `rule`, the form that changes it. */
export default async function RequestRulesPage({ params, searchParams }: PageProps<'api'>) {
  const api = await adminPage('/admin/apis/[api]/requests')
  const { api: id } = await params
  const { rule, done } = await searchParams
  const resource = await api.get(getResourceById, { params: { id } })
  // Before anything is shown: to an app manager, an API of others does not exist.
  const { data } = await api.get(listRequestRules, {
    query: { api: resource.id, limit: MAX_RULES },
  })
  const { requestRules: words } = (await currentMessages()).admin
  const about = { api, resource }
  return (
    <ApiFrame api={api} resource={resource} tab="/requests" done={done}>
      {typeof rule === 'string' ? (
        <Change {...about} id={rule} />
      ) : (
        <>
          <p className="max-w-[46rem] text-muted">{words.intro}</p>
          <Rules {...about} rules={data} />
          <Latest {...about} />
          {api.may('applications:write') && <New {...about} />}
        </>
      )}
    </ApiFrame>
  )
}

type About = { api: AdminApi; resource: ResourceWire }

async function Rules({ api, resource, rules }: About & { rules: readonly RequestRuleWire[] }) {
  const { requestRules: words } = (await currentMessages()).admin
  if (rules.length === 0) return <Empty title={words.emptyTitle} text={words.empty} />
  return rules.map((rule) => <Rule key={rule.id} api={api} resource={resource} rule={rule} />)
}

async function Rule({ api, resource, rule }: About & { rule: RequestRuleWire }) {
  const { requestRules: words } = (await currentMessages()).admin
  const href = `/admin/apis/${resource.id}/requests?rule=${rule.id}`
  return (
    <Section
      title={rule.name}
      aside={!rule.enabled && <StateBadge tone="quiet">{words.off}</StateBadge>}
    >
      <Facts>
        <Fact term={words.patterns}>
          {rule.patterns.map((pattern) => (
            <code key={pattern} className="code">
              {pattern}
            </code>
          ))}
        </Fact>
        <Fact term={words.longest}>{durationText(rule.maxSeconds, await currentLocale())}</Fact>
        <Fact term={words.approvers}>
          <Steps rule={rule} />
        </Fact>
        <EmergencyFact rule={rule} />
      </Facts>
      {api.may('applications:write') && (
        <div>
          <QuietLink href={href} name={`${words.change}: ${rule.name}`}>
            {words.change}
          </QuietLink>
        </div>
      )}
    </Section>
  )
}

const MAX_SHOWN = 20

/** The latest requests for this API: whoever may end the access finds it here. */
async function Latest({ api, resource }: About) {
  const { admin, requests: texts } = await currentMessages()
  const { requestRules: words } = admin
  const query = { view: 'all', api: resource.id, sort: '-createdAt', limit: MAX_SHOWN } as const
  const asked = await api.send(listAccessRequests, { query })
  if (!asked.ok || asked.body.data.length === 0) return null
  return (
    <Section title={words.latest}>
      <Rows none="">
        {asked.body.data.map(({ id, user, scope, status, review, createdAt }) => ({
          key: id,
          title: user.name,
          facts: [
            [scope, ''],
            [statusText({ status, review }, texts), ''],
            [texts.asked, <When key="when" at={new Date(createdAt)} />],
          ],
          action: (
            <QuietLink
              href={`/account/approvals/${id}`}
              name={`${words.look}: ${user.name}, ${scope}`}
            >
              {words.look}
            </QuietLink>
          ),
        }))}
      </Rows>
    </Section>
  )
}

async function New(about: About) {
  const { requestRules: words } = (await currentMessages()).admin
  const hidden = { api: about.resource.id }
  return (
    <Section title={words.newTitle}>
      <div className="max-w-[38rem]">
        <AdminForm action={createRule} words={await formWords('create')} hidden={hidden}>
          <RuleFields {...about} />
        </AdminForm>
      </div>
    </Section>
  )
}

async function Change({ api, resource, id }: About & { id: string }) {
  const { admin } = await currentMessages()
  const { requestRules: words, form } = admin
  const { body: rule, version } = await api.read(getRequestRule, { params: { rule: id } })
  const hidden = { api: resource.id, rule: rule.id, version: version ?? '' }
  const kept = keepsReviewers(rule) ? { ...hidden, keepEmergency: 'yes' } : hidden
  return (
    <>
      <Section title={fill(words.changeTitle, { name: rule.name })}>
        <div className="max-w-[38rem]">
          <AdminForm
            action={saveRule}
            words={await formWords('save')}
            hidden={kept}
            readOnly={!api.may('applications:write')}
            aside={
              <QuietLink href={`/admin/apis/${resource.id}/requests`}>{form.cancel}</QuietLink>
            }
          >
            <RuleFields api={api} resource={resource} rule={rule} />
          </AdminForm>
        </div>
      </Section>
      {api.may('applications:write') && (
        <DangerZone title={words.deleteTitle} summary={words.deleteSummary} text={words.deleteText}>
          <AdminForm action={deleteRule} words={await formWords('delete')} hidden={hidden} />
        </DangerZone>
      )}
    </>
  )
}
