import { guardedRequest } from '../base/guarded-request'

/** Returns the status. */
export async function postForm(
  uri: string,
  fields: Record<string, string>,
  allowedHosts: ReadonlySet<string>,
): Promise<number> {
  const body = new URLSearchParams(fields).toString()
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': Buffer.byteLength(body),
  }
  const { status } = await guardedRequest(uri, { method: 'POST', headers, body }, allowedHosts)
  return status
}
