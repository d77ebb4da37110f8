import type { ComponentProps } from 'react'

type Tone = 'main' | 'quiet'

const CLASSES: Record<Tone, string> = {
  main: 'button button-main',
  quiet: 'button button-quiet',
}

export function buttonClass(tone: Tone): string {
  return CLASSES[tone]
}

type Props = Omit<ComponentProps<'button'>, 'className'> & { tone?: Tone; wide?: boolean }

export function Button({ tone = 'main', wide = false, type = 'button', ...rest }: Props) {
  return <button type={type} className={buttonClass(tone) + (wide ? ' w-full' : '')} {...rest} />
}
