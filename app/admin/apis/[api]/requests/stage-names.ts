/** What the fields of the steps are called, in the form and in its action. */

export const MAX_STEPS = 5

/** The fields of the first step have plain names. */
export function fieldAt(field: string, at: number): string {
  return at === 0 ? field : `${field}-${at}`
}
