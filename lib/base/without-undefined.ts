type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

/** A PATCH changes only the members that it names: undefined members are removed. */
export function withoutUndefined<T extends object>(patch: T): Partial<Defined<T>> {
  const entries = Object.entries(patch).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as Partial<Defined<T>>
}
