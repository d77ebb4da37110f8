/**
 * A picture at one address never changes: another picture has another address. Applications may
 * show it on their pages.
 */
const HEADERS = {
  'Content-Type': 'image/webp',
  'Content-Disposition': 'inline; filename="picture.webp"',
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}

/**
 * A picture that the portal has drawn itself (attack N18); null if there is none at this address.
 */
export function pictureResponse(webp: Uint8Array<ArrayBuffer> | null): Response {
  if (webp) return new Response(webp, { headers: HEADERS })
  const headers = { ...HEADERS, 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }
  return new Response('The picture does not exist.', { status: 404, headers })
}
