/** What an entry of the audit log says has changed, field by field. */

export type ChangedField = { field: string; before: string | null; after: string | null }

/** Null: the entry is about something else than a change. */
export function changesIn(detail: Readonly<Record<string, unknown>>): ChangedField[] | null {
  const before = objectOf(detail.before)
  const after = objectOf(detail.after)
  if (!before && !after) return null
  // Where both are there, `after` is what was sent: fields that it does not name stayed.
  const fields = Object.keys(after ?? before ?? {})
  return fields
    .map((field) => ({
      field,
      before: before && Object.hasOwn(before, field) ? written(before[field]) : null,
      after: after ? written(after[field]) : null,
    }))
    .filter((change) => change.before !== change.after)
}

/** What is left to say beside the change itself. */
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
