import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import { type AdminApi, withQuery } from '@/lib/admin/api'
import type { DryRunWire } from '@/lib/api/impact/dry-run'
import { currentMessages } from '@/lib/browser/locale'
import { Explanation } from '../_ui/explanation'
import { JsonBlock } from '../_ui/json-block'
import { applicationParty, groupsIn, type Parties, userParty } from '../_ui/parties'
import { StateBadge } from '../_ui/state-badge'
import type { SimulatorQuestion } from './question'

type Props = { api: AdminApi; asked: SimulatorQuestion; answer: DryRunWire }

/** What the token endpoint would say, and why. */
export async function Outcome({ api, asked, answer }: Props) {
  const { simulator: words } = (await currentMessages()).admin.access
  const parties = await partiesOf(api, answer)
  return (
    <>
      <Summary answer={answer} />
      <Section title={words.decisions}>
        <ul className="grid divide-y divide-line border-line border-y">
          {answer.decisions.map((decision) => (
            <li key={decision.scope} className="grid gap-3 py-4">
              <Decision decision={decision} parties={parties} />
            </li>
          ))}
        </ul>
        {!api.may('permissions:explain') && <p className="text-muted">{words.hiddenWhy}</p>}
      </Section>
      <Section title={words.claims} text={answer.claims ? words.claimsText : words.noClaims}>
        {answer.claims && <JsonBlock value={answer.claims} label={words.claims} />}
      </Section>
      {api.may('applications:write') && asked.user !== undefined && (
        <QuietLink href={withQuery('/admin/tools', { client: asked.client, scope: asked.scope })}>
          {words.testLogin}
        </QuietLink>
      )}
    </>
  )
}

async function partiesOf(api: AdminApi, answer: DryRunWire): Promise<Parties> {
  const { application, accessKey, user, decisions } = answer
  const behind = applicationParty(application)
  const person = user === null ? null : await userParty(api, user)
  return {
    application: behind,
    ...(accessKey !== null && {
      accessKey: { href: `${behind.href}/credentials/${accessKey}`, name: accessKey },
    }),
    ...(person && { user: person }),
    groups: await groupsIn(
      api,
      decisions.map(({ explanation }) => explanation),
    ),
  }
}

async function Summary({ answer }: { answer: DryRunWire }) {
  const { simulator: words } = (await currentMessages()).admin.access
  const { outcome } = answer
  const tone = outcome === 'granted' ? 'border-accent bg-wash' : 'border-danger bg-danger-wash'
  return (
    <section role="status" className={`grid gap-2 rounded-panel border px-5 py-4 ${tone}`}>
      <h2 className="font-semibold text-lead">{words.outcomes[outcome]}</h2>
      <p>{words.outcomeTexts[outcome]}</p>
      <Scopes term={words.granted} scopes={answer.scope} />
      <Scopes term={words.refused} scopes={answer.scope_rejected} />
    </section>
  )
}

function Scopes({ term, scopes }: { term: string; scopes: string }) {
  if (scopes === '') return null
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <span className="text-muted">{term}:</span>
      {scopes.split(' ').map((scope) => (
        <code key={scope} className="code [overflow-wrap:anywhere]">
          {scope}
        </code>
      ))}
    </p>
  )
}

type One = { decision: DryRunWire['decisions'][number]; parties: Parties }

async function Decision({ decision, parties }: One) {
  const { access } = (await currentMessages()).admin
  const { scope, granted, code, explanation } = decision
  return (
    <>
      <div className="grid gap-1">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <code className="code [overflow-wrap:anywhere]">{scope}</code>
          <StateBadge tone={granted ? 'good' : 'bad'}>
            {granted ? access.simulator.granted : access.simulator.refused}
          </StateBadge>
        </h3>
        {code !== undefined && (
          <p>
            {access.codes[code]} <code className="text-muted text-small">{code}</code>
          </p>
        )}
      </div>
      {explanation && (
        <Explanation explanation={explanation} granted={granted} parties={parties} heading="h4" />
      )}
    </>
  )
}
