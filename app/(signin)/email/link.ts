/** The page that the letter leads to, as a path to come back to. */
export function emailLink(token: string): string {
  return `/email?${new URLSearchParams({ token })}`
}
