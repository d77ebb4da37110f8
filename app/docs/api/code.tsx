import type { Messages } from '@/lib/i18n'
import { CopyText } from './copy-text'

const scrollBoxClass =
  'overflow-x-auto px-4 py-3.5 font-mono text-[0.8125rem] leading-[1.65] -outline-offset-2'

type ScrollProps = { id?: string; label: string; text: string; className?: string }

/** Long lines scroll in here and not with the page; the keyboard can get in to scroll. */
export function ScrollingCode({ id, label, text, className = '' }: ScrollProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <pre
      id={id}
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
      tabIndex={0}
      translate="no"
      className={`${scrollBoxClass} ${className}`}
    >
      <code>{text}</code>
    </pre>
  )
}

type Props = { id: string; label: string; text: string; common: Messages['common'] }

export function CodePanel({ id, label, text, common }: Props) {
  return (
    <div className="max-w-[54rem] min-w-0 rounded-panel border border-line bg-raised">
      <div className="flex items-center justify-between gap-3 border-b border-line py-1 ps-4 pe-1.5">
        <p className="text-small font-semibold text-muted">{label}</p>
        <CopyText
          from={id}
          label={common.copy}
          name={`${common.copy}: ${label}`}
          doneLabel={common.copied}
        />
      </div>
      <ScrollingCode id={id} label={label} text={text} />
    </div>
  )
}
