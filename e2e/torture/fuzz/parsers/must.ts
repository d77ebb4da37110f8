import { isOAuthError } from '../../../../lib/oidc/errors'

export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

/** Null where it was refused as the protocol says. */
export async function orRefused<T>(work: () => T | Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (isOAuthError(error)) return null
    throw error
  }
}
