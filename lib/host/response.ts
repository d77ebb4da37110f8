import type { Reply } from '../base/http'

/** `sent`: the headers, name after value, if there are more than those of the reply. */
export function toResponse(
  reply: Reply,
  method: string,
  sent: readonly string[] = Object.entries(reply.headers).flat(),
): Response {
  const headers = new Headers()
  for (let at = 0; at < sent.length; at += 2) headers.set(sent[at] ?? '', sent[at + 1] ?? '')
  // Hop-by-hop headers belong to the server, not to a Response.
  headers.delete('Connection')
  for (const cookie of reply.cookies ?? []) headers.append('Set-Cookie', cookie)
  // Plain Next.js makes a page for its own address only.
  if (reply.page !== undefined) headers.set('Location', reply.page)
  const status = reply.page === undefined ? reply.status : 303
  return new Response(status === 204 || method === 'HEAD' ? null : reply.body, { status, headers })
}
