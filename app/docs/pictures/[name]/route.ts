import { compiled } from '@/lib/docs/compiled'

type Context = { params: Promise<{ name: string }> }

const DARK = '@media (prefers-color-scheme: dark)'

/** A drawing of a document, in the colours of one theme, or of the system if none is named. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { name } = await params
  const svg = Object.hasOwn(compiled.pictures, name) ? compiled.pictures[name] : undefined
  if (svg === undefined) return new Response('Not found', { status: 404 })
  return new Response(inTheme(svg, new URL(request.url).searchParams.get('theme')), {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=3600',
    },
  })
}

function inTheme(svg: string, theme: string | null): string {
  if (theme === 'dark') return svg.replace(DARK, '@media all')
  return theme === 'light' ? svg.replace(DARK, '@media not all') : svg
}
