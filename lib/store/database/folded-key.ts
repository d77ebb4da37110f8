/** The normal form of an address or a user name: NFKC, then case folding. */
export function foldedKey(identifier: string): string {
  return identifier.normalize('NFKC').trim().toLowerCase()
}
