/**
 * The Markdown has examples that read well on GitHub. On the pages of a portal they become its own
 * address and IDs, as far as they are known.
 */

export const PLACEHOLDERS = {
  origin: 'https://portal.example',
  clientId: 'YOUR_CLIENT_ID',
  userId: 'YOUR_USER_ID',
} as const

export type Values = { origin: string; clientId: string | null; userId: string | null }

export function fillIn(text: string, { origin, clientId, userId }: Values): string {
  return text
    .replaceAll(PLACEHOLDERS.origin, origin)
    .replaceAll(PLACEHOLDERS.clientId, clientId ?? PLACEHOLDERS.clientId)
    .replaceAll(PLACEHOLDERS.userId, userId ?? PLACEHOLDERS.userId)
}
