/** The changes that an audit entry records, field by field. */

export type ChangedField = { field: string; before: string | null; after: string | null }

/** Null if the entry does not record a change. */
export function changesIn(detail: Readonly<Record<string, unknown>>): ChangedField[] | null {
  const before = objectOf(detail.before)
  const after = objectOf(detail.after)
  if (!before && !after) return null
  // If both exist, `after` is what was sent: the fields that it does not name did not change.
  const fields = Object.keys(after ?? before ?? {})
  return fields
    .map((field) => ({
      field,
      before: before && Object.hasOwn(before, field) ? written(before[field]) : null,
      after: after ? written(after[field]) : null,
    }))
    .filter((change) => change.before !== change.after)
}

/** The details of the entry besides the changes. */
export function besidesChanges(
  detail: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const { before, after, ...rest } = detail
  const kept = {
    ...rest,
    ...(before !== undefined && !objectOf(before) && { before }),
    ...(after !== undefined && !objectOf(after) && { after }),
  }
  return Object.keys(kept).length === 0 ? null : kept
}

function objectOf(value: unknown): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return value as Record<string, unknown>
}

function written(value: unknown): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}
