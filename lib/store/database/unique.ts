/** The database refused a second row with the same key. */
export function isUniqueViolation(error: unknown): boolean {
  for (let e = error; typeof e === 'object' && e !== null; e = (e as Error).cause) {
    const { code, originalCode } = e as Record<string, unknown>
    if (code === 'P2002' || originalCode === '23505') return true
    if (String(code).startsWith('SQLITE_CONSTRAINT')) return true
  }
  return false
}
