import type { ReactNode } from 'react'
import { ACR_VALUES } from '@/lib/access/acr'
import { CONDITION_VARIABLES, MAX_CONDITION_LENGTH, MAX_STEPS } from '@/lib/access/condition'
import { CONDITION_EXAMPLES } from '@/lib/access/condition-examples'
import { portalAudience } from '@/lib/access/portal-api'
import { fieldProblem, PROBLEMS, problemType } from '@/lib/api/http/problem'
import { shellQuoted } from '@/lib/api/reference/samples'
import type { Messages } from '@/lib/i18n'
import { errorMessage } from '@/lib/i18n/error-message'
import { fill } from '@/lib/i18n/fill'
import { paths } from '@/lib/oidc/paths'
import { Anchor } from './anchor'
import { CodePanel, ScrollingCode } from './code'
import { Prose } from './prose'

type Words = Messages['docs']
type Props = { origin: string; words: Words; common: Messages['common'] }

/** What the page speaks of before the calls, in its order. */
export const BASICS = ['token', 'conventions', 'errors', 'stepUp', 'conditions'] as const

export function Introduction(props: Props) {
  return (
    <div className="grid gap-14">
      <Token {...props} />
      <Manners {...props} />
      <Errors {...props} />
      <StepUp {...props} />
      <Conditions {...props} />
    </div>
  )
}

type TopicProps = { id: (typeof BASICS)[number]; words: Words; children: ReactNode }

function Topic({ id, words, children }: TopicProps) {
  const { title } = words[id]
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-6 gap-4">
      <div className="flex items-baseline gap-2">
        <h2 id={`${id}-title`} className="display text-[1.625rem] leading-tight">
          {title}
        </h2>
        <Anchor to={id} label={fill(words.link, { name: title })} />
      </div>
      {children}
    </section>
  )
}

function Text({ children }: { children: string }) {
  return (
    <p className="max-w-[46rem]">
      <Prose text={children} />
    </p>
  )
}

// ---------------------------------------------------------------- token

function Token({ origin, words, common }: Props) {
  const { token } = words
  const audience = portalAudience(origin)
  return (
    <Topic id="token" words={words}>
      <Text>{fill(token.text, { audience })}</Text>
      <CodePanel id="token-code" label={token.code} text={tokenRequest(origin)} common={common} />
      <Text>{token.answer}</Text>
      <p className="max-w-[46rem]">
        {token.endpoints}{' '}
        <a href={paths.discovery} className="text-link">
          {words.discovery}
        </a>
      </p>
    </Topic>
  )
}

function tokenRequest(origin: string): string {
  return [
    `curl ${shellQuoted(origin + paths.token)}`,
    '-d grant_type=client_credentials',
    '-d "client_id=$CLIENT_ID" --data-urlencode "client_secret=$CLIENT_SECRET"',
    `--data-urlencode ${shellQuoted(`resource=${portalAudience(origin)}`)}`,
    `-d ${shellQuoted('scope=spaces:read permissions:check')}`,
  ].join(' \\\n  ')
}

// ---------------------------------------------------------------- conventions

function Manners({ words }: Props) {
  const { conventions } = words
  const told = [
    [conventions.lists, conventions.listsText],
    [conventions.versions, conventions.versionsText],
    [conventions.once, conventions.onceText],
    [conventions.fresh, conventions.freshText],
    [conventions.strict, conventions.strictText],
  ] as const
  return (
    <Topic id="conventions" words={words}>
      <dl className="grid max-w-[54rem] gap-x-8 gap-y-1 sm:grid-cols-[max-content_minmax(0,1fr)] sm:gap-y-3">
        {told.map(([term, text]) => (
          <div key={term} className="contents">
            <dt className="font-semibold max-sm:mt-2">{term}</dt>
            <dd>
              <Prose text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </Topic>
  )
}

// ---------------------------------------------------------------- problems

const UNKNOWN_FIELD = fieldProblem('/colour', errorMessage('unrecognized_keys'))

const PROBLEM = {
  title: PROBLEMS.invalid[1],
  status: PROBLEMS.invalid[0],
  code: 'invalid',
  detail: UNKNOWN_FIELD.detail,
  requestId: '7a1edd50-8446-40d8-91dd-5405fc21de29',
  errors: [UNKNOWN_FIELD],
}

function Errors({ origin, words, common }: Props) {
  const { errors } = words
  const example = { type: problemType(origin, 'invalid'), ...PROBLEM }
  return (
    <Topic id="errors" words={words}>
      <Text>{errors.text}</Text>
      <CodePanel
        id="errors-code"
        label={errors.example}
        text={JSON.stringify(example, null, 2)}
        common={common}
      />
      <table className="w-full max-w-[54rem] border-collapse">
        <Heads names={[errors.status, errors.code, errors.meaning]} />
        <tbody>
          {Object.entries(PROBLEMS).map(([code, [status, title]]) => (
            <tr
              key={code}
              id={`problem-${code}`}
              className="scroll-mt-6 border-b border-line align-baseline target:bg-wash"
            >
              <td className="py-1.5 pe-4 font-semibold">{status}</td>
              <th scope="row" className="py-1.5 pe-4 text-start font-normal">
                <code translate="no" className="code">
                  {code}
                </code>
              </th>
              <td lang="en" className="py-1.5">
                {title}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Topic>
  )
}

function Heads({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr className="border-b border-line text-small text-muted">
        {names.map((name) => (
          <th key={name} scope="col" className="py-1.5 pe-4 text-start font-medium">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  )
}

// ---------------------------------------------------------------- step-up

const CHALLENGE = `HTTP/1.1 401 Unauthorized
WWW-Authenticate: Bearer realm="orders",
  error="insufficient_user_authentication",
  error_description="A second factor is needed",
  acr_values="mfa", max_age="300"`

function StepUp({ words, common }: Props) {
  const { stepUp } = words
  const levels = ACR_VALUES.map((acr) => `\`${acr}\``).join(' < ')
  return (
    <Topic id="stepUp" words={words}>
      <Text>{stepUp.text}</Text>
      <CodePanel id="step-up-code" label={stepUp.example} text={CHALLENGE} common={common} />
      <Text>{fill(stepUp.next, { levels })}</Text>
      <Text>{stepUp.hint}</Text>
    </Topic>
  )
}

// ---------------------------------------------------------------- conditions

const FUNCTIONS = {
  inNetwork: 'inNetwork(request.ip, "10.0.0.0/8")',
  atLeast: 'atLeast(auth.acr, "mfa")',
  day: 'request.time.getDayOfWeek("Asia/Tokyo")',
  hours: 'request.time.getHours("Asia/Tokyo")',
  has: 'has(user.department)',
  text: 'startsWith(), endsWith(), contains()',
} as const

function Conditions({ words }: Props) {
  const { conditions } = words
  const functions = Object.entries(FUNCTIONS) as [keyof typeof FUNCTIONS, string][]
  const examples = Object.entries(CONDITION_EXAMPLES) as [keyof typeof CONDITION_EXAMPLES, string][]
  return (
    <Topic id="conditions" words={words}>
      <Text>{conditions.text}</Text>
      <h3 className="mt-3 font-semibold">{conditions.variables}</h3>
      <Table
        heads={[conditions.variable, conditions.members]}
        rows={CONDITION_VARIABLES.map((name) => [name, conditions.of[name]])}
      />
      <h3 className="mt-3 font-semibold">{conditions.functions}</h3>
      <Table
        heads={[conditions.function, words.about]}
        rows={functions.map(([name, call]) => [call, conditions.functionOf[name]])}
      />
      <h3 className="mt-3 font-semibold">{conditions.examples}</h3>
      <ul className="grid max-w-[54rem] min-w-0 gap-4">
        {examples.map(([name, source]) => (
          <li key={name} className="grid min-w-0 gap-1.5">
            {conditions.exampleOf[name]}
            <div className="min-w-0 rounded-control border border-line bg-raised">
              <ScrollingCode label={conditions.exampleOf[name]} text={source} />
            </div>
          </li>
        ))}
      </ul>
      <Text>
        {fill(conditions.refused, {
          longest: String(MAX_CONDITION_LENGTH),
          steps: String(MAX_STEPS),
        })}
      </Text>
    </Topic>
  )
}

type TableProps = { heads: readonly string[]; rows: readonly (readonly [string, string])[] }

function Table({ heads, rows }: TableProps) {
  return (
    <table className="w-full max-w-[54rem] border-collapse">
      <Heads names={heads} />
      <tbody>
        {rows.map(([name, text]) => (
          <tr key={name} className="border-b border-line align-baseline">
            <th scope="row" className="w-2/5 py-1.5 pe-4 text-start font-normal sm:w-auto">
              <code translate="no" className="code">
                {name}
              </code>
            </th>
            <td className="py-1.5">
              <Prose text={text} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
