import { CopyButton } from './copy-button'

type Props = { code: string; copy: string; copied: string }

export function CodeBlock({ code, copy, copied }: Props) {
  return (
    <div className="flex min-h-12 items-center justify-between gap-3 rounded-control border border-line bg-raised py-1.5 ps-4 pe-1.5">
      <code className="min-w-0 whitespace-pre-wrap font-mono text-small [overflow-wrap:anywhere]">
        {code}
      </code>
      <CopyButton text={code} label={copy} doneLabel={copied} />
    </div>
  )
}
