/**
 * How strongly a user signed in, weakest first: a password, a second factor, a phishing-resistant
 * factor. Each value means "at least this".
 */
const ACR_LEVELS = [
  { acr: 'pwd', amr: ['pwd'] },
  { acr: 'mfa', amr: ['pwd', 'otp', 'mfa'] },
  { acr: 'phr', amr: ['hwk', 'user', 'mfa'] },
] as const

export type Acr = (typeof ACR_LEVELS)[number]['acr']
export const ACR_VALUES: readonly Acr[] = ACR_LEVELS.map(({ acr }) => acr)

export function satisfies(acr: string | undefined, wanted: string): boolean {
  const has = levelOf(acr)
  return has !== -1 && has >= levelOf(wanted) && levelOf(wanted) !== -1
}

/** The levels that are stronger than this one, weakest first. */
export function strongerThan(acr: string | undefined): readonly (typeof ACR_LEVELS)[number][] {
  return ACR_LEVELS.slice(levelOf(acr) + 1)
}

function levelOf(acr: string | undefined): number {
  return ACR_LEVELS.findIndex((level) => level.acr === acr)
}
