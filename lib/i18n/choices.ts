/** Options for a form: the values decide what there is, and each must have a label. */
export function choices<const Value extends string>(
  values: readonly Value[],
  labels: Readonly<Record<Value, string>>,
): [Value, string][] {
  return values.map((value) => [value, labels[value]])
}
