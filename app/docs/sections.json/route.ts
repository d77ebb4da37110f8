import { compiled } from '@/lib/docs/compiled'

/** What the search of the browser looks in: made by the build, the same for everybody. */
export function GET(): Response {
  return Response.json(compiled.sections, {
    headers: { 'Cache-Control': 'public, max-age=3600', 'X-Content-Type-Options': 'nosniff' },
  })
}
