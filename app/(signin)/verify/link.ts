/** The page that a link in a letter leads to, as a path to come back to. */
export function verifyLink(token: string, returnTo: string): string {
  const query = new URLSearchParams({ token, ...(returnTo !== '/' && { returnTo }) })
  return `/verify?${query}`
}
