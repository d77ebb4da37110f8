'use client'

import { CodeBlock } from '@/app/_ui/code-block'
import { CopyButton } from '@/app/_ui/copy-button'
import type { Messages } from '@/lib/i18n'
import { Check, useMade, useProblem } from '../_ui/form'
import type { FetchedToken } from './actions'

type Words = Messages['admin']['firstToken']
type Permission = { key: string; text: string; isTicked: boolean }

export function Permissions(props: { words: Words; permissions: readonly Permission[] }) {
  const { words, permissions } = props
  const error = useProblem('scope')
  return (
    <fieldset id="scope" className="grid gap-3">
      <legend className="font-semibold">{words.permissions}</legend>
      <p className="text-muted text-small">{words.permissionsHint}</p>
      {permissions.map(({ key, text, isTicked }) => (
        <Check key={key} name="scope" value={key} label={key} hint={text} checked={isTicked} code />
      ))}
      {error && <p className="font-medium text-danger text-small">{error}</p>}
    </fieldset>
  )
}

type FetchedProps = { words: Words; common: Pick<Messages['common'], 'copy' | 'copied'> }

/** The command and what it got, instead of the form. */
export function Fetched({ words, common }: FetchedProps) {
  const fetched = useMade<FetchedToken>()
  if (!fetched) return null
  const { command, answer, isToken } = fetched
  return (
    <section
      role="status"
      className="grid min-w-0 gap-5 rounded-panel border border-accent bg-wash px-5 py-5 sm:px-6"
    >
      <div className="grid gap-1">
        <h2 className="font-semibold text-lead">{isToken ? words.made : words.refused}</h2>
        {isToken && <p>{words.madeText}</p>}
      </div>
      <div className="grid gap-1">
        <h3 className="text-small">{words.command}</h3>
        <CodeBlock code={command} copy={common.copy} copied={common.copied} />
      </div>
      <div className="grid gap-1">
        <h3 className="text-small">{words.answer}</h3>
        <div className="rounded-control border border-line bg-raised p-4">
          <pre className="whitespace-pre-wrap font-mono text-small [overflow-wrap:anywhere]">
            {answer}
          </pre>
        </div>
        <div className="flex justify-end">
          <CopyButton text={answer} label={common.copy} doneLabel={common.copied} />
        </div>
      </div>
      <p className="flex flex-wrap gap-x-6 gap-y-1">
        <a href="/admin" className="inline-flex min-h-9 items-center text-link">
          {words.finish}
        </a>
        <a href="/admin/tools/token" className="inline-flex min-h-9 items-center text-link">
          {words.inspect}
        </a>
      </p>
    </section>
  )
}
