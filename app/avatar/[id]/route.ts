import { openPicture } from '@/lib/accounts/avatar'
import { op } from '@/lib/op'

/** What it shows never changes: another picture has another address. Apps show it on their pages. */
const HEADERS = {
  'Content-Type': 'image/webp',
  'Content-Disposition': 'inline; filename="picture.webp"',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

type Context = { params: Promise<{ id: string }> }

export async function GET(_request: Request, { params }: Context): Promise<Response> {
  const webp = await openPicture(await op(), (await params).id)
  if (webp) return new Response(webp, { headers: HEADERS })
  const headers = { ...HEADERS, 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }
  return new Response('There is no such picture.', { status: 404, headers })
}
