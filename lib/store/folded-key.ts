/** What "the same address" or "the same name" means: NFKC first, then the case folded. */
export function foldedKey(identifier: string): string {
  return identifier.normalize('NFKC').trim().toLowerCase()
}
