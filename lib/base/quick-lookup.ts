import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { ResolvedAddress } from './address-guard'

const TIMEOUT_MS = 2_000

/**
 * The address of a name that an unknown caller chose, whose name server may never answer. The look-up of
 * the operating system would then hold one of the few threads that files and hashes need too, and
 * knows no time limit. This asks the name servers directly; it does not read /etc/hosts.
 */
export async function quickLookup(
  host: string,
  servers?: readonly string[],
): Promise<ResolvedAddress> {
  const version = isIP(host)
  if (version !== 0) return { address: host, family: version === 6 ? 6 : 4 }
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (servers) resolver.setServers(servers)
  const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  if (four.status === 'fulfilled' && four.value[0]) return { address: four.value[0], family: 4 }
  if (six.status === 'fulfilled' && six.value[0]) return { address: six.value[0], family: 6 }
  throw new Error('the name has no address', {
    cause: four.status === 'rejected' ? four.reason : undefined,
  })
}
