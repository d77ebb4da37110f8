import type { ComponentProps } from 'react'

type Tone = 'main' | 'quiet'

const shape =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-control px-5 py-2 text-body font-semibold transition-colors duration-150'

const tones: Record<Tone, string> = {
  main: 'border border-transparent bg-accent text-on-accent shadow-control hover:bg-accent-strong disabled:bg-muted',
  quiet: 'border border-edge text-ink hover:border-ink hover:bg-raised disabled:text-muted',
}

export function buttonClass(tone: Tone): string {
  return `${shape} ${tones[tone]}`
}

type Props = Omit<ComponentProps<'button'>, 'className'> & { tone?: Tone; wide?: boolean }

export function Button({ tone = 'main', wide = false, type = 'button', ...rest }: Props) {
  return <button type={type} className={buttonClass(tone) + (wide ? ' w-full' : '')} {...rest} />
}
