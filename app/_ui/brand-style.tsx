import { headers } from 'next/headers'
import { type Accents, accentCss } from '@/lib/base/branding'

/** An application's own colours, for the page or for a part of it. */
export function BrandStyle({ of, within = ':root' }: { of: Accents; within?: string }) {
  return <Style css={accentCss(within, of)} />
}

/** The policy of the page lets it in by nonce. */
export async function Style({ css }: { css: string }) {
  if (css === '') return null
  const policy = (await headers()).get('content-security-policy') ?? ''
  return <style nonce={/'nonce-([^']+)'/.exec(policy)?.[1]}>{css}</style>
}
