import { LinkButton } from '@/app/_ui/link-button'
import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { When } from '@/app/_ui/when'
import { type AdminApi, adminPage, withQuery } from '@/lib/admin/api'
import { type AssertionWire, listAssertions } from '@/lib/api/permissions/assertions'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { Empty } from '../../_ui/empty'
import { AdminFrame } from '../../_ui/frame'
import { userParty } from '../../_ui/parties'
import { StateBadge } from '../../_ui/state-badge'
import { GovernanceTabs } from '../../governance/tabs'
import { runAll } from './actions'
import { chosenSpace, type SpaceOf, spacesOf } from './spaces'

export const generateMetadata = pageTitle(({ admin }) => admin.governance.parts.assertions)

type Words = Messages['admin']['access']['assertions']
export default async function AssertionsPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/reports/assertions')
  const params = await searchParams
  const { access, governance } = (await currentMessages()).admin
  const { assertions: words } = access
  const spaces = await spacesOf(api)
  const space = chosenSpace(spaces, params.space)
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={governance.parts.assertions}
      intro={words.intro}
      done={params.done}
      action={
        space &&
        api.may('spaces:write') && (
          <LinkButton href={withQuery('/admin/reports/assertions/new', { space: space.id })}>
            {words.new}
          </LinkButton>
        )
      }
    >
      <GovernanceTabs api={api} at="assertions" />
      {space ? (
        <>
          <Spaces spaces={spaces} current={space} />
          <Assertions api={api} space={space} />
        </>
      ) : (
        <Empty title={words.emptyTitle} text={words.noSpaces}>
          <LinkButton href="/admin/apis">{words.space}</LinkButton>
        </Empty>
      )}
    </AdminFrame>
  )
}

async function Spaces({ spaces, current }: { spaces: SpaceOf[]; current: SpaceOf }) {
  const { assertions: words } = (await currentMessages()).admin.access
  if (spaces.length < 2) return null
  return (
    <nav aria-label={words.space}>
      <ul className="flex flex-wrap gap-2">
        {spaces.map(({ id, name }) => (
          <li key={id}>
            <a
              href={withQuery('/admin/reports/assertions', { space: id })}
              aria-current={id === current.id ? 'true' : undefined}
              className="inline-flex min-h-9 items-center rounded-control border border-edge px-3 text-small hover:border-ink aria-[current]:border-accent aria-[current]:bg-wash aria-[current]:font-semibold"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

async function Assertions({ api, space }: { api: AdminApi; space: SpaceOf }) {
  const { assertions: words } = (await currentMessages()).admin.access
  const { assertions } = await api.get(listAssertions, { params: { space: space.id } })
  if (assertions.length === 0) return <Empty title={words.emptyTitle} text={words.empty} />
  const states = assertions.map(stateOf)
  const count = (state: State) => String(states.filter((one) => one === state).length)
  const summary = { passed: count('passed'), failed: count('failed'), never: count('never') }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="font-medium">{fill(words.summary, summary)}</p>
        <form action={runAll}>
          <input type="hidden" name="space" value={space.id} />
          <QuietSubmit label={words.run} busyLabel={words.running} />
        </form>
      </div>
      <ul className="grid divide-y divide-line rounded-panel border border-line bg-raised px-5">
        {assertions.map((assertion) => (
          <Assertion key={assertion.id} api={api} assertion={assertion} space={space} />
        ))}
      </ul>
    </>
  )
}

type State = 'passed' | 'failed' | 'never'

function stateOf({ lastResult, expected }: AssertionWire): State {
  if (lastResult === null) return 'never'
  return lastResult === expected ? 'passed' : 'failed'
}

const TONES = { passed: 'good', failed: 'bad', never: 'quiet' } as const

type OneProps = { api: AdminApi; assertion: AssertionWire; space: SpaceOf }

async function Assertion({ api, assertion, space }: OneProps) {
  const { assertions: words } = (await currentMessages()).admin.access
  const { id, question, lastRunAt } = assertion
  const state = stateOf(assertion)
  const says = sentenceOf(words, assertion, await subjectName(api, assertion))
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="grid min-w-0 gap-1">
        <p className="font-medium [overflow-wrap:anywhere]">{says}</p>
        <p className="flex flex-wrap items-center gap-x-3 text-muted text-small">
          <StateBadge tone={TONES[state]}>{words[state]}</StateBadge>
          {lastRunAt !== null && <When at={lastRunAt} />}
        </p>
      </div>
      <div className="flex flex-wrap gap-x-5 text-small">
        {question.user !== undefined && api.may('permissions:explain') && (
          <a
            href={withQuery('/admin/why', {
              user: question.user,
              permission: question.permission,
              instance: question.resource?.id,
            })}
            aria-label={`${words.why} ${says}`}
            className="inline-flex min-h-9 items-center text-link"
          >
            {words.why}
          </a>
        )}
        {api.may('spaces:write') && (
          <a
            href={withQuery(`/admin/reports/assertions/${id}`, { space: space.id })}
            aria-label={`${words.edit}: ${says}`}
            className="inline-flex min-h-9 items-center text-link"
          >
            {words.edit}
          </a>
        )}
      </div>
    </li>
  )
}

async function subjectName(api: AdminApi, { question }: AssertionWire): Promise<string> {
  const { user, client = '' } = question
  if (user === undefined) return client
  return (await userParty(api, user))?.name ?? user
}

function sentenceOf(words: Words, { question, expected }: AssertionWire, subject: string) {
  const { permission, resource } = question
  const says = fill(expected ? words.may : words.mayNot, { subject, permission })
  return resource ? `${says} ${fill(words.on, { instance: resource.id })}` : says
}
