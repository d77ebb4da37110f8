type Props = { name: string; logoUri: string | null }

/** A picture that came with the application, never one that is fetched; else its first letter. */
export function AppMark({ name, logoUri }: Props) {
  if (logoUri?.startsWith('data:image/')) {
    // biome-ignore lint/performance/noImgElement: a data URI needs no loader
    return <img src={logoUri} alt="" className="size-14 rounded-panel border border-line" />
  }
  const [initial = ''] = name
  return (
    <span
      aria-hidden="true"
      className="grid size-14 place-items-center rounded-panel bg-accent font-display text-on-accent text-title"
    >
      {initial.toUpperCase()}
    </span>
  )
}
