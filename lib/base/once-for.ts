/**
 * Computes a value once for an object that never changes, and releases it together with the object.
 */
export function onceFor<K extends object, V>(make: (of: K) => V): (of: K) => V {
  const made = new WeakMap<K, V>()
  return (of) => {
    const known = made.get(of)
    if (known !== undefined) return known
    const fresh = make(of)
    made.set(of, fresh)
    return fresh
  }
}
