/** The name and the words of a field, which the dictionary has as `key` and `keyHint`. */
export function worded<Key extends string>(
  words: Readonly<Record<NoInfer<Key> | `${NoInfer<Key>}Hint`, string>>,
  key: Key,
  name: string = key,
) {
  return { name, label: words[key], hint: words[`${key}Hint` as const] }
}
