import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'

/** What the environment says: to be read, and changed where it is said. */
export async function Fixed({ variable }: { variable: string }) {
  const { settings: words } = (await currentMessages()).admin
  return (
    <p className="rounded-control border border-line bg-paper px-3 py-2 text-muted text-small">
      {fill(words.fixed, { variable })}
    </p>
  )
}

type Props = { label: string; value: string; variable: string }

export function FixedField({ label, value, variable }: Props) {
  return (
    <div className="grid gap-1.5">
      <p className="font-semibold">{label}</p>
      <p className="code">{value}</p>
      <Fixed variable={variable} />
    </div>
  )
}
