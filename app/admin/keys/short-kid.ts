/** What people recognise a key by, and type before they revoke it. */
export function shortKid(kid: string): string {
  return kid.slice(0, 8)
}
