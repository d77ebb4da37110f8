/** Asks only once for each name. */
export function askOnce<Found>(find: (name: string) => Promise<Found>): typeof find {
  const known = new Map<string, Promise<Found>>()
  return (name) => {
    const found = known.get(name) ?? find(name)
    known.set(name, found)
    return found
  }
}
