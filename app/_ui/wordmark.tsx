import { Logos } from './logos'

type Props = {
  label: string
  name: string
  /** In place of the gatehouse. */
  logos?: { light: string | null; dark: string | null } | undefined
}

/** The gatehouse: three merlons, one arch. The same path as public/logo.svg. */
export function Wordmark({ label, name, logos }: Props) {
  return (
    <a
      href="/"
      aria-label={label}
      className="inline-flex min-h-11 items-center gap-2.5 rounded-control"
    >
      {logos ? (
        <Logos logos={logos} className="size-9" />
      ) : (
        <svg viewBox="0 0 28 28" className="size-7 text-accent" aria-hidden="true">
          <path fill="currentColor" d="M2 3h6v4h3V3h6v4h3V3h6v22h-6v-7a6 6 0 0 0-12 0v7H2z" />
        </svg>
      )}
      <span className="pt-0.5 font-display text-[1.375rem] font-[520] tracking-[-0.01em]">
        {name}
      </span>
    </a>
  )
}
