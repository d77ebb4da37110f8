type Props = { from: string; text: string | undefined }

/** A line that the application wrote: set apart, and said to be its own, so nobody takes it for ours. */
export function AppWords({ from, text }: Props) {
  if (!text) return null
  return (
    <figure className="grid gap-0.5 border-line border-s-4 ps-4">
      <figcaption className="text-muted text-small [overflow-wrap:anywhere]">{from}</figcaption>
      <blockquote dir="auto" className="[overflow-wrap:anywhere]">
        {text}
      </blockquote>
    </figure>
  )
}
