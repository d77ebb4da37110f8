import { LinkButton } from '@/app/_ui/link-button'
import { QuietLink } from '@/app/_ui/quiet-link'
import { durationText } from '@/app/account/access/times'
import { adminPage, withQuery } from '@/lib/admin/api'
import { listAllResources } from '@/lib/api/permissions/resource-overview'
import { listRequestRules, type RequestRuleWire } from '@/lib/api/requests/rule-routes'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { plural } from '@/lib/i18n/plural'
import { Empty } from '../../_ui/empty'
import { AdminFrame } from '../../_ui/frame'
import { Pages } from '../../_ui/pages'
import { Rows } from '../../_ui/rows'
import { GovernanceTabs } from '../tabs'

export const generateMetadata = pageTitle(({ admin }) => admin.governance.parts.rules)

const PATH = '/admin/governance/rules'
const AT_ONCE = 50
const MAX_APIS = 200

/** The rules of all APIs, or of those that one owns. */
export default async function RulesPage({ searchParams }: PageProps) {
  const api = await adminPage(PATH)
  const { cursor } = await searchParams
  const { governance } = (await currentMessages()).admin
  const { rulesPage: words } = governance
  const { data, page } = await api.get(listRequestRules, {
    query: { limit: AT_ONCE, cursor: typeof cursor === 'string' ? cursor : undefined },
  })
  const apis = await api.get(listAllResources, { query: { limit: MAX_APIS } })
  const names = new Map(apis.data.map(({ id, name }) => [id, name]))
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={governance.parts.rules}
      intro={words.intro}
    >
      <GovernanceTabs api={api} at="rules" />
      {data.length === 0 ? (
        <Empty title={words.emptyTitle} text={words.empty}>
          <LinkButton href="/admin/apis">{words.toApis}</LinkButton>
        </Empty>
      ) : (
        <Rows none="">
          {await Promise.all(data.map((rule) => rowOf(rule, names.get(rule.api) ?? rule.api)))}
        </Rows>
      )}
      <Pages page={page} hrefOf={(at) => withQuery(PATH, { cursor: at })} />
    </AdminFrame>
  )
}

async function rowOf(rule: RequestRuleWire, apiName: string) {
  const { governance } = (await currentMessages()).admin
  const { rulesPage: words } = governance
  const locale = await currentLocale()
  const needed = rule.stages.reduce((sum, stage) => sum + stage.needed, 0)
  const facts = [
    rule.patterns.join(', '),
    fill(words.longest, { time: durationText(rule.maxSeconds, locale) }),
    plural(locale, words.approvals, needed),
    ...(rule.emergency ? [words.emergency] : []),
    ...(rule.enabled ? [] : [words.off]),
  ]
  return {
    key: rule.id,
    title: `${apiName}: ${rule.name}`,
    facts: facts.map((fact) => [fact, ''] as const),
    action: (
      <QuietLink
        href={`/admin/apis/${rule.api}/requests?rule=${rule.id}`}
        name={`${governance.see}: ${rule.name}`}
      >
        {governance.see}
      </QuietLink>
    ),
  }
}
