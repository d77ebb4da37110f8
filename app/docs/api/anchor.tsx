type Props = { to: string; label: string }

export function Anchor({ to, label }: Props) {
  return (
    <a
      href={`#${to}`}
      aria-label={label}
      className="inline-flex size-6 items-center justify-center rounded-control text-muted hover:bg-wash hover:text-accent"
    >
      #
    </a>
  )
}
