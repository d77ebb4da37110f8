type Props = { path: string | null; name: string | null; alt: string; large?: boolean }

/** Somebody's picture, or the first letter of their name in its place. */
export function Portrait({ path, name, alt, large = false }: Props) {
  const size = large ? 'size-24 text-title' : 'size-10 text-lead'
  const shape = `${size} shrink-0 rounded-full border border-line`
  if (path !== null) {
    // biome-ignore lint/performance/noImgElement: drawn at its size already, and served by us
    return <img src={path} alt={alt} width={256} height={256} className={`${shape} object-cover`} />
  }
  const letter = [...(name ?? '')][0]?.toUpperCase() ?? ''
  return (
    <span
      aria-hidden="true"
      className={`${shape} display grid place-items-center bg-wash text-muted`}
    >
      {letter}
    </span>
  )
}
