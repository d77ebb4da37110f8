const ONE_SENDER = /^(?:[^<>@,;"\p{Cc}]+<[^<>@,;\s]+@[^<>@,;\s]+>|[^<>@,;\s]+@[^<>@,;\s]+)$/u

/** One address, or a name and an address in <>. */
export function isSender(value: string): boolean {
  return ONE_SENDER.test(value)
}

/** A server and a user name only: options in a query would not be checked. */
export function isSmtpUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, search, hash } = new URL(value)
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return false
  return hostname !== '' && ['', '/'].includes(pathname) && search === '' && hash === ''
}
