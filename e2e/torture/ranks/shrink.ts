/**
 * The fewest of a list that still show it (delta debugging): halves are left out first, then smaller
 * and smaller parts, then each by itself.
 */
export async function fewest<T>(
  all: readonly T[],
  stillShows: (some: readonly T[]) => Promise<boolean>,
  mostTries: number,
): Promise<T[]> {
  if (all.length === 0) return []
  if (await stillShows([])) return []
  let kept = [...all]
  let tries = 1
  for (
    let size = Math.ceil(kept.length / 2);
    size >= 1;
    size = size === 1 ? 0 : Math.ceil(size / 2)
  ) {
    for (let from = 0; from < kept.length && tries < mostTries; ) {
      const without = kept.toSpliced(from, size)
      tries += 1
      if (without.length < kept.length && (await stillShows(without))) kept = without
      else from += size
    }
  }
  return kept
}
