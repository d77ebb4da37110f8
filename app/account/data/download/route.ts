import { ownData } from '@/lib/accounts/own-data'
import { requestOrigin, requireConfirmed } from '@/lib/browser/session'
import { op } from '@/lib/op'

const HEADERS = {
  'Content-Type': 'application/json',
  'Content-Disposition': 'attachment; filename="gatehouse-my-data.json"',
  'Cache-Control': 'no-store',
}

/** For whoever has just said who they are: it is all there is about them. */
export async function GET(): Promise<Response> {
  const session = await requireConfirmed()
  const data = await ownData(await op(), session, await requestOrigin())
  return new Response(`${JSON.stringify(data, null, 2)}\n`, { headers: HEADERS })
}
