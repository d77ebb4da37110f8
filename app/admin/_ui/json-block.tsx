import { CopyButton } from '@/app/_ui/copy-button'
import { currentMessages } from '@/lib/browser/locale'

type Props = { value: unknown; label: string }

/** Something as JSON, to read and to take along; long ones scroll by keyboard too. */
export async function JsonBlock({ value, label }: Props) {
  const { common } = await currentMessages()
  const text = JSON.stringify(value, null, 2)
  return (
    <div className="grid gap-1">
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard (WCAG 2.1.1)
        tabIndex={0}
        className="max-h-[28rem] overflow-auto rounded-control border border-line bg-paper p-4"
      >
        <pre className="font-mono text-small">{text}</pre>
      </section>
      <div className="flex justify-end">
        <CopyButton text={text} label={common.copy} doneLabel={common.copied} />
      </div>
    </div>
  )
}
