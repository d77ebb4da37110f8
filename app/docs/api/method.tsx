const tones: Record<string, string> = {
  GET: 'border-edge text-muted',
  POST: 'border-accent text-accent',
  PUT: 'border-accent text-accent',
  PATCH: 'border-accent text-accent',
  DELETE: 'border-danger text-danger',
}

/** Safe ones are quiet, those that change something have colour, and deleting is red. */
export function Method({ name }: { name: string }) {
  return (
    <span
      translate="no"
      className={`inline-block rounded-control border px-1.5 font-mono text-[0.75rem] leading-[1.6] font-semibold ${tones[name] ?? ''}`}
    >
      {name}
    </span>
  )
}
