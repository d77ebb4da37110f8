const MAX_LENGTH = 63

/** What a key or a prefix may be if only a name is given: its letters and digits; empty without any. */
export function keyFrom(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  const key = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '')
  return key.slice(0, MAX_LENGTH)
}
