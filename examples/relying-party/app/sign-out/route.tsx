import { type NextRequest, NextResponse } from 'next/server'
import { getToken } from 'next-auth/jwt'
import { endSessionUrl, homeUrl } from '../../auth'

/** Ends both sessions: this application's own, and then the portal's. */
export async function POST(request: NextRequest): Promise<Response> {
  const token = await getToken({ req: request })
  // The cookie is SameSite=Lax: a form on another site comes without it and ends nothing.
  if (!token) return NextResponse.redirect(homeUrl(), 303)
  const next = token.idToken ? await endSessionUrl(token.idToken) : homeUrl()
  const response = NextResponse.redirect(next, 303)
  // A long session is cut into several cookies.
  const session = request.cookies.getAll().filter(({ name }) => name.includes('.session-token'))
  for (const { name } of session) response.cookies.delete(name)
  return response
}
