import type { ReactNode } from 'react'
import type { Face } from '@/lib/browser/application-face'

type Props = Pick<Face, 'name' | 'logoUri'> & { logos: Face['branding']['logos'] }

/** A picture that we keep or that came with the application, never one that is fetched elsewhere. */
export function AppMark({ name, logoUri, logos: { light, dark } }: Props) {
  if (light !== null && dark !== null) {
    return (
      <>
        <Logo src={`/logo/${light}`} when="only-light" />
        <Logo src={`/logo/${dark}`} when="only-dark" />
      </>
    )
  }
  const uploaded = light ?? dark
  if (uploaded !== null) return <Logo src={`/logo/${uploaded}`} />
  if (logoUri?.startsWith('data:image/')) return <Logo src={logoUri} />
  return <Initial name={name} />
}

function Logo({ src, when = '' }: { src: string; when?: string }) {
  // biome-ignore lint/performance/noImgElement: drawn by us at the size it is shown, no loader needed
  return <img src={src} alt="" className={`size-14 rounded-panel border border-line ${when}`} />
}

function Initial({ name }: { name: string }): ReactNode {
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
