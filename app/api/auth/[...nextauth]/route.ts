import type { NextRequest } from 'next/server'
import { finishUpstream } from '@/lib/browser/upstream-callback'

type Context = { params: Promise<{ nextauth: string[] }> }

/** Of all that next-auth could answer here, only the way back from a provider is reachable. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const [step, provider = '', ...more] = (await params).nextauth
  if (step !== 'callback' || more.length > 0) return nothing()
  const location = await finishUpstream(provider, Object.fromEntries(request.nextUrl.searchParams))
  return location === null ? nothing() : new Response(null, { status: 303, headers: { location } })
}

function nothing(): Response {
  return new Response('Not Found', { status: 404 })
}

export const HEAD = nothing
export const POST = nothing
export const PUT = nothing
export const PATCH = nothing
export const DELETE = nothing
export const OPTIONS = nothing
