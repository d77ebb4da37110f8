import { op } from '@/lib/op'
import { brandingCss } from '@/lib/settings/branding-css'

/** The colours that admins chose, as a file of ours: the address changes with the settings. */
export async function GET(): Promise<Response> {
  const { branding } = await (await op()).settings.current()
  return new Response(brandingCss(branding), {
    headers: {
      'Content-Type': 'text/css; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=86400',
    },
  })
}
