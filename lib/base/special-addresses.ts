/**
 * Addresses that must not be called: every row of IANA's special-purpose registries (RFC 6890, RFC
 * 8190), also rows that the registries call reachable, because no application is there; multicast;
 * and addresses that lead into the portal's own network although no registry lists them.
 */

export type Block = readonly [network: string, name: string, source: string]

export const SPECIAL_V4: readonly Block[] = [
  ['0.0.0.0/8', 'this network', 'RFC 791, 3.2'],
  ['0.0.0.0/32', 'this host on this network', 'RFC 1122, 3.2.1.3'],
  ['10.0.0.0/8', 'private use', 'RFC 1918'],
  ['100.64.0.0/10', 'shared address space', 'RFC 6598'],
  ['127.0.0.0/8', 'loopback', 'RFC 1122, 3.2.1.3'],
  ['169.254.0.0/16', 'link local', 'RFC 3927'],
  ['172.16.0.0/12', 'private use', 'RFC 1918'],
  ['192.0.0.0/24', 'protocol assignments', 'RFC 6890, 2.1'],
  ['192.0.0.0/29', 'service continuity', 'RFC 7335'],
  ['192.0.0.8/32', 'dummy address', 'RFC 7600'],
  ['192.0.0.9/32', 'port control anycast', 'RFC 7723'],
  ['192.0.0.10/32', 'TURN anycast', 'RFC 8155'],
  ['192.0.0.170/32', 'NAT64 discovery', 'RFC 8880'],
  ['192.0.0.171/32', 'NAT64 discovery', 'RFC 8880'],
  ['192.0.2.0/24', 'documentation', 'RFC 5737'],
  ['192.31.196.0/24', 'AS112', 'RFC 7535'],
  ['192.52.193.0/24', 'automatic multicast tunnelling', 'RFC 7450'],
  ['192.88.99.0/24', '6to4 relays, deprecated', 'RFC 7526'],
  ['192.88.99.2/32', '6a44 relays', 'RFC 6751'],
  ['192.168.0.0/16', 'private use', 'RFC 1918'],
  ['192.175.48.0/24', 'AS112, direct delegation', 'RFC 7534'],
  ['198.18.0.0/15', 'benchmarking', 'RFC 2544'],
  ['198.51.100.0/24', 'documentation', 'RFC 5737'],
  ['203.0.113.0/24', 'documentation', 'RFC 5737'],
  ['240.0.0.0/4', 'reserved', 'RFC 1112, 4'],
  ['255.255.255.255/32', 'limited broadcast', 'RFC 919, 7'],
  ['224.0.0.0/4', 'multicast', 'RFC 5771'],
  ['168.63.129.16/32', 'the machine below an Azure machine', 'learn.microsoft.com'],
]

/** Everything that is assigned: outside it no address is public. */
export const GLOBAL_UNICAST_V6: Block = ['2000::/3', 'global unicast', 'RFC 4291, 2.4']

export const SPECIAL_V6: readonly Block[] = [
  ['::/128', 'unspecified', 'RFC 4291, 2.5.2'],
  ['::1/128', 'loopback', 'RFC 4291, 2.5.3'],
  ['::/96', 'IPv4-compatible, deprecated', 'RFC 4291, 2.5.5.1'],
  ['64:ff9b:1::/48', 'translation for local use', 'RFC 8215'],
  ['100::/64', 'discard only', 'RFC 6666'],
  ['100:0:0:1::/64', 'dummy prefix', 'RFC 9780'],
  ['2001::/23', 'protocol assignments', 'RFC 2928'],
  ['2001::/32', 'Teredo', 'RFC 4380'],
  ['2001:1::1/128', 'port control anycast', 'RFC 7723'],
  ['2001:1::2/128', 'TURN anycast', 'RFC 8155'],
  ['2001:1::3/128', 'service registration anycast', 'RFC 9665'],
  ['2001:2::/48', 'benchmarking', 'RFC 5180'],
  ['2001:3::/32', 'automatic multicast tunnelling', 'RFC 7450'],
  ['2001:4:112::/48', 'AS112', 'RFC 7535'],
  ['2001:10::/28', 'ORCHID, deprecated', 'RFC 4843'],
  ['2001:20::/28', 'ORCHID', 'RFC 7343'],
  ['2001:30::/28', 'drone remote identification', 'RFC 9374'],
  ['2001:db8::/32', 'documentation', 'RFC 3849'],
  ['2002::/16', '6to4', 'RFC 3056'],
  ['2620:4f:8000::/48', 'AS112, direct delegation', 'RFC 7534'],
  ['3fff::/20', 'documentation', 'RFC 9637'],
  ['5f00::/16', 'segment routing', 'RFC 9602'],
  ['fc00::/7', 'unique local', 'RFC 4193'],
  ['fe80::/10', 'link local', 'RFC 4291, 2.5.6'],
  ['fec0::/10', 'site local, deprecated', 'RFC 3879'],
  ['ff00::/8', 'multicast', 'RFC 4291, 2.7'],
]

/**
 * The other two rows of the registries. Their last four bytes are an IPv4 address, and that address
 * decides.
 */
export const EMBEDS_V4: readonly Block[] = [
  ['::ffff:0:0/96', 'IPv4-mapped', 'RFC 4291, 2.5.5.2'],
  ['64:ff9b::/96', 'IPv4 behind a translator', 'RFC 6052'],
]
