'use client'

import { CodeBlock } from '@/app/_ui/code-block'
import { LinkButton } from '@/app/_ui/link-button'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { useMade } from '../_ui/form'

export type NewSecret = {
  title: string
  values: readonly (readonly [label: string, value: string])[]
  /** The same as a file of environment variables; null where there is nothing to hide. */
  env: { name: string; text: string } | null
  /** What its holder could do with it. */
  warning?: string
  /** Where to go on; the first is the usual next step. */
  links: readonly (readonly [label: string, href: string])[]
}

export type OnceWords = Pick<Messages['admin']['form'], 'shownOnce' | 'download'> &
  Pick<Messages['common'], 'copy' | 'copied'>

/** What is in this answer and nowhere else: to copy, or to keep as a file. */
export function ShownOnce({ words }: { words: OnceWords }) {
  const once = useMade<NewSecret>()
  if (!once) return null
  const { title, values, env, warning } = once
  const [next, ...others] = once.links
  return (
    <section
      role="status"
      className="grid min-w-0 gap-4 rounded-panel border border-accent bg-wash px-5 py-5 sm:px-6"
    >
      <div className="grid gap-1">
        <h2 className="font-semibold text-lead">{title}</h2>
        {(env || warning) && <p className="font-medium">{words.shownOnce}</p>}
        {warning && <p>{warning}</p>}
      </div>
      <dl className="grid gap-3">
        {values.map(([label, value]) => (
          <div key={label} className="grid gap-1">
            <dt className="text-small">{label}</dt>
            <dd>
              <CodeBlock code={value} copy={words.copy} copied={words.copied} />
            </dd>
          </div>
        ))}
      </dl>
      {env && <Download env={env} label={fill(words.download, { file: env.name })} />}
      {next && (
        <p className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <LinkButton href={next[1]}>{next[0]}</LinkButton>
          {others.map(([label, href]) => (
            <a key={href} href={href} className="inline-flex min-h-9 items-center text-link">
              {label}
            </a>
          ))}
        </p>
      )}
    </section>
  )
}

/** Its own address, so that it needs no script and no second request for the secret. */
function Download({ env, label }: { env: { name: string; text: string }; label: string }) {
  return (
    <a
      href={`data:text/plain;charset=utf-8,${encodeURIComponent(env.text)}`}
      download={env.name}
      className="inline-flex min-h-9 w-fit items-center font-semibold text-link"
    >
      {label}
    </a>
  )
}
