import type { ReactNode } from 'react'
import { Section } from '@/app/_ui/section'
import { When } from '@/app/_ui/when'
import { Explanation } from '@/app/admin/_ui/explanation'
import { namesOfApprovers } from '@/lib/api/requests/approver-names'
import type { AccessRequestDetail } from '@/lib/api/requests/routes'
import { currentMessages } from '@/lib/browser/locale'
import { fill, fillUnchecked } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { statusText } from '../../access/facts'

type About = { request: AccessRequestDetail }

/** What helps to decide about a request. */
export async function Background({ request }: About) {
  const { approvals: words } = (await currentMessages()).requests
  return (
    <Section title={words.background}>
      <Because request={request} />
      <Gives request={request} />
      <WhyRefused request={request} />
      <AskedBefore request={request} />
    </Section>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid gap-1.5">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </div>
  )
}

async function Because({ request }: About) {
  const { approvals: words } = (await currentMessages()).requests
  const { because, api } = request
  if (because.length === 0) return null
  const names = await namesOfApprovers(await op(), because)
  return (
    <Part title={words.because}>
      <Lines>
        {because.map(({ type, id = '', attribute }) => {
          const name = type === 'api_owners' ? api?.name : (attribute ?? names.get(id))
          return (
            <li key={`${type} ${id} ${attribute ?? ''}`}>
              {fillUnchecked(words.becauseOf[type], { name: name ?? id })}
            </li>
          )
        })}
      </Lines>
    </Part>
  )
}

async function Gives({ request }: About) {
  const { approvals: words } = (await currentMessages()).requests
  const { gives, user, application, status } = request
  if (gives.length === 0 || status !== 'pending') return null
  return (
    <Part title={words.gives}>
      <Lines>
        {gives.map(({ to, permission, condition }) => (
          <li key={to} className="[overflow-wrap:anywhere]">
            {to === 'user'
              ? fill(words.givesUser, { name: user.name, permission })
              : fill(words.givesApplication, { name: application?.name ?? '', permission })}
            {to === 'user' && condition !== null && (
              <span className="text-small">
                {' '}
                {words.givesCondition} <code className="code">{condition}</code>
              </span>
            )}
          </li>
        ))}
      </Lines>
    </Part>
  )
}

/** In words; an approver need not be an admin, so nothing leads to admin pages. */
async function WhyRefused({ request }: About) {
  const { approvals: words } = (await currentMessages()).requests
  const { explanation, user, status } = request
  if (!explanation || status !== 'pending') return null
  const parties = { user: { href: '', name: user.name }, plain: true }
  return (
    <Part title={words.explanation}>
      <Explanation
        explanation={explanation}
        granted={false}
        parties={parties}
        remedies={false}
        heading="h4"
      />
    </Part>
  )
}

async function AskedBefore({ request: { askedBefore } }: About) {
  const { requests } = await currentMessages()
  const { approvals: words } = requests
  return (
    <Part title={words.before}>
      {askedBefore.length === 0 && <p className="text-muted">{words.beforeNone}</p>}
      {askedBefore.length > 0 && (
        <Lines>
          {askedBefore.map(({ id, scope, createdAt, ...state }) => (
            <li key={id} className="[overflow-wrap:anywhere]">
              <code className="code">{scope}</code> {statusText(state, requests)}{' '}
              <span className="text-muted text-small">
                <When at={new Date(createdAt)} />
              </span>
            </li>
          ))}
        </Lines>
      )}
    </Part>
  )
}

function Lines({ children }: { children: ReactNode }) {
  return <ul className="grid gap-1.5">{children}</ul>
}
