/** Parses JSON that somebody typed; undefined if it is not valid. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function jsonObject(text: string): Record<string, unknown> | null {
  const value = parsedJson(text)
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as Record<string, unknown>) : null
}
