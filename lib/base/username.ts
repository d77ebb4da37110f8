/** A user name for somebody who has none, from their address: `Ada.Lovelace@…` is `ada.lovelace`. */

const MAX_LENGTH = 56

/** Names that an application could take for more than a person. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['admin', 'administrator', 'root', 'owner', 'system', 'service', 'support', 'security'],
  ...[
    'gatehouse',
    'portal',
    'postmaster',
    'hostmaster',
    'webmaster',
    'abuse',
    'noreply',
    'no-reply',
  ],
  ...['null', 'undefined', 'anonymous', 'nobody', 'everyone', 'me', 'self'],
])

const FALLBACK = 'user'

/** `isFree` is false if the name itself must not be given: then only one with a number. */
export function usernameFrom(email: string): { name: string; isFree: boolean } {
  const [local = ''] = email.normalize('NFKC').toLowerCase().split('@')
  const plain = local
    .replace(/\+.*$/, '')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '')
    .slice(0, MAX_LENGTH)
  const name = plain === '' || plain.startsWith('usr_') ? FALLBACK : plain
  return { name, isFree: name !== FALLBACK && !RESERVED.has(name) }
}
