/** What something is, in a word; a newer version may know more kinds. */
export function kindOf(
  kind: string,
  { kinds }: { kinds: Readonly<Record<string, string>> },
): string {
  return Object.hasOwn(kinds, kind) ? (kinds[kind] ?? kind) : kind
}
