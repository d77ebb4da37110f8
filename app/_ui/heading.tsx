type Props = { title: string; text?: string; hero?: boolean }

export function Heading({ title, text, hero = false }: Props) {
  return (
    <div className="grid gap-3">
      <h1 className={hero ? 'display text-hero' : 'display text-title'}>{title}</h1>
      {text && <p className="text-balance text-lead text-muted">{text}</p>}
    </div>
  )
}
