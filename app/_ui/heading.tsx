type Props = { title: string; text?: string; hero?: boolean; within?: boolean }

/** `within`: on a page that has a title of its own. */
export function Heading({ title, text, hero = false, within = false }: Props) {
  const Level = within ? 'h2' : 'h1'
  return (
    <div className="grid gap-3">
      <Level className={hero ? 'display text-hero' : 'display text-title'}>{title}</Level>
      {text && <p className="text-balance text-lead text-muted">{text}</p>}
    </div>
  )
}
