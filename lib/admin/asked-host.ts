/**
 * The host name at which the browser opened the portal. After an action with scripts, Next.js fetches
 * the next page from this process by its own address, with the headers of the action: `Host` is then
 * ours, and `Origin` is still the browser's.
 */
export function askedHost(headers: { get(name: string): string | null }): string | null {
  const origin = headers.get('origin')
  if (origin !== null && URL.canParse(origin)) return new URL(origin).host
  return headers.get('host')
}
