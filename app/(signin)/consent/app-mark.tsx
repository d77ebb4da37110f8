import { Logo, Logos } from '@/app/_ui/logos'
import type { Face } from '@/lib/browser/application-face'

type Props = Pick<Face, 'name' | 'logoUri'> & { logos: Face['branding']['logos'] }

const PICTURE = 'size-14 rounded-panel border border-line'

/** A picture that we keep or that came with the application, never one that is fetched elsewhere. */
export function AppMark({ name, logoUri, logos }: Props) {
  if ((logos.light ?? logos.dark) !== null) return <Logos logos={logos} className={PICTURE} />
  if (logoUri?.startsWith('data:image/')) return <Logo src={logoUri} className={PICTURE} />
  return <Initial name={name} />
}

function Initial({ name }: { name: string }) {
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
