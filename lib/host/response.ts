import type { Reply } from '../base/http'

export function toResponse(reply: Reply, method: string): Response {
  // Hop-by-hop headers belong to the server, not to a Response.
  const { Connection, ...sent } = reply.headers
  const headers = new Headers(sent)
  for (const cookie of reply.cookies ?? []) headers.append('Set-Cookie', cookie)
  const empty = reply.status === 204 || method === 'HEAD'
  return new Response(empty ? null : reply.body, { status: reply.status, headers })
}
