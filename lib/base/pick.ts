/** An object of some of its fields. */
export function pick<T extends object, K extends keyof T>(from: T, ...keys: readonly K[]) {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Pick<T, K>
}
