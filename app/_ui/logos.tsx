type Props = { logos: { light: string | null; dark: string | null }; className: string }

/** Pictures that the portal drew: one for each theme, or one for both. */
export function Logos({ logos: { light, dark }, className }: Props) {
  if (light !== null && dark !== null) {
    return (
      <>
        <Logo src={`/logo/${light}`} className={`${className} only-light`} />
        <Logo src={`/logo/${dark}`} className={`${className} only-dark`} />
      </>
    )
  }
  const one = light ?? dark
  return one === null ? null : <Logo src={`/logo/${one}`} className={className} />
}

export function Logo({ src, className }: { src: string; className: string }) {
  // biome-ignore lint/performance/noImgElement: drawn by us at the size it is shown, no loader needed
  return <img src={src} alt="" className={className} />
}
