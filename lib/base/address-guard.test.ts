import { describe, expect, test } from 'vitest'
import {
  AddressRefused,
  guardedLookup,
  isPlainlyRefused,
  isPublic,
  resolveAllowed,
} from './address-guard'
import { EMBEDS_V4, SPECIAL_V4, SPECIAL_V6 } from './special-addresses'

const nobody = new Set<string>()

describe('N19: addresses that are not anybody’s to call', () => {
  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://0x7f.1/',
    'https://2130706433/',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://[fd00::1]/',
    'https://localhost/',
    'http://93.184.216.34/',
    'https://127.1/',
    'https://0177.0.0.1/',
    'https://0/',
    'https://127.0.0.1./',
    'https://[0:0:0:0:0:ffff:7f00:1]/',
    'https://[::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[64:ff9b::169.254.169.254]/',
    'https://[64:ff9b:1::7f00:1]/',
    'https://[fec0::1]/',
    'https://168.63.129.16/',
    'https://１２７.0.0.1/',
  ])('%s', async (url) => {
    await expect(resolveAllowed(new URL(url), nobody)).rejects.toThrow(AddressRefused)
    expect(isPlainlyRefused(new URL(url), nobody)).toBe(true)
    expect(isPlainlyRefused(new URL(url), new Set([new URL(url).host]))).toBe(false)
  })

  test('a name can only be told when it is called', () => {
    expect(isPlainlyRefused(new URL('https://rp.test/x'), nobody)).toBe(false)
    for (const name of ['app.localhost', 'localhost.']) {
      expect(isPlainlyRefused(new URL(`https://${name}/x`), nobody)).toBe(true)
    }
  })

  test('a public one is fine, and an operator may allow a private one by host and port', async () => {
    expect(isPublic('93.184.216.34')).toBe(true)
    expect(isPublic('2606:4700::1111')).toBe(true)
    expect(isPublic('not an address')).toBe(false)
    const allowed = new Set(['127.0.0.1:4000'])
    expect(await resolveAllowed(new URL('http://127.0.0.1:4000/x'), allowed)).toEqual({
      address: '127.0.0.1',
      family: 4,
    })
    await expect(resolveAllowed(new URL('http://127.0.0.1:4001/x'), allowed)).rejects.toThrow()
  })
})

/** A block, its first and last address, and where they are public the addresses beside it. */
const BLOCKS: [block: string, first: string, last: string, ...beside: string[]][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['0.0.0.0/32', '0.0.0.0', '0.0.0.0'],
  ['10.0.0.0/8', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0/10', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0/8', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['168.63.129.16/32', '168.63.129.16', '168.63.129.16', '168.63.129.15', '168.63.129.17'],
  ['169.254.0.0/16', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0/12', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0/24', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.0.0/29', '192.0.0.0', '192.0.0.7'],
  ['192.0.0.8/32', '192.0.0.8', '192.0.0.8'],
  ['192.0.0.9/32', '192.0.0.9', '192.0.0.9'],
  ['192.0.0.10/32', '192.0.0.10', '192.0.0.10'],
  ['192.0.0.170/32', '192.0.0.170', '192.0.0.170'],
  ['192.0.0.171/32', '192.0.0.171', '192.0.0.171'],
  ['192.0.2.0/24', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.31.196.0/24', '192.31.196.0', '192.31.196.255', '192.31.195.255', '192.31.197.0'],
  ['192.52.193.0/24', '192.52.193.0', '192.52.193.255', '192.52.192.255', '192.52.194.0'],
  ['192.88.99.0/24', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.88.99.2/32', '192.88.99.2', '192.88.99.2'],
  ['192.168.0.0/16', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['192.175.48.0/24', '192.175.48.0', '192.175.48.255', '192.175.47.255', '192.175.49.0'],
  ['198.18.0.0/15', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0/24', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0/24', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0/4', '224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0/4', '240.0.0.0', '255.255.255.255'],
  ['255.255.255.255/32', '255.255.255.255', '255.255.255.255'],
  ['::/128', '::', '::'],
  ['::1/128', '::1', '::1'],
  ['::/96', '::', '::255.255.255.255'],
  ['64:ff9b:1::/48', '64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::/64', '100::', '100::ffff:ffff:ffff:ffff'],
  ['100:0:0:1::/64', '100:0:0:1::', '100:0:0:1:ffff:ffff:ffff:ffff'],
  ['2001::/23', '2001::', '2001:1ff:ffff::', '2000:ffff:ffff::', '2001:200::'],
  ['2001::/32', '2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:1::1/128', '2001:1::1', '2001:1::1'],
  ['2001:1::2/128', '2001:1::2', '2001:1::2'],
  ['2001:1::3/128', '2001:1::3', '2001:1::3'],
  ['2001:2::/48', '2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:3::/32', '2001:3::', '2001:3:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:4:112::/48', '2001:4:112::', '2001:4:112:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::/28', '2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:20::/28', '2001:20::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:30::/28', '2001:30::', '2001:3f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::/32', '2001:db8::', '2001:db8:ffff::', '2001:db7:ffff::', '2001:db9::'],
  ['2002::/16', '2002::', '2002:ffff:ffff::', '2001:ffff:ffff::', '2003::'],
  [
    '2620:4f:8000::/48',
    '2620:4f:8000::',
    '2620:4f:8000:ffff::',
    '2620:4f:7fff:ffff::',
    '2620:4f:8001::',
  ],
  ['3fff::/20', '3fff::', '3fff:fff:ffff::', '3ffe:ffff::', '3fff:1000::'],
  ['5f00::/16', '5f00::', '5f00:ffff::'],
  ['fc00::/7', 'fc00::', 'fdff:ffff::'],
  ['fe80::/10', 'fe80::', 'febf:ffff::'],
  ['fec0::/10', 'fec0::', 'feff:ffff::'],
  ['ff00::/8', 'ff00::', 'ffff:ffff::'],
]

describe('Q18, N19: the blocks of IANA’s registries', () => {
  test.each(BLOCKS)('%s: %s to %s is not public, what is beside it is', (_block, ...rest) => {
    const [first, last, ...beside] = rest
    expect([first, last].map(isPublic)).toEqual([false, false])
    expect(beside.filter((address) => !isPublic(address))).toEqual([])
  })

  test('each has a row above', () => {
    const listed = [...SPECIAL_V4, ...SPECIAL_V6].map(([block]) => block)
    expect(listed.toSorted()).toEqual(BLOCKS.map(([block]) => block).toSorted())
  })

  test.each(['1fff:ffff::', '4000::', '200::', 'e000::', 'fe00::1', '64:ff9a::1'])(
    '%s is outside global unicast, so it is nobody’s',
    (address) => expect(isPublic(address)).toBe(false),
  )

  test.each(EMBEDS_V4)('%s: the IPv4 address inside decides', (network) => {
    const inside = (address: string) => network.replace(/(0:0)?\/96$/, address)
    const hex = inside('5db8:d822')
    expect([inside('93.184.216.34'), hex].map(isPublic)).toEqual([true, true])
    const refused = ['127.0.0.1', '169.254.169.254', '168.63.129.16', '0.0.0.0', 'a00:1', '0:1']
    expect(refused.map(inside).filter(isPublic)).toEqual([])
  })

  test.each([
    ['AWS, Google, Azure', '169.254.169.254'],
    ['AWS containers', '169.254.170.2'],
    ['AWS over IPv6', 'fd00:ec2::254'],
    ['Azure’s wire server', '168.63.129.16'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle', '192.0.0.192'],
  ])('the metadata of a machine at %s is not public', (_cloud, address) => {
    expect(isPublic(address)).toBe(false)
  })

  test.each(['fe80::1%eth0', '2606:4700::1111%1', '127.0.0.1%lo'])(
    '%s has a zone, so it is of this machine’s links',
    (address) => expect(isPublic(address)).toBe(false),
  )
})

test.each([{}, { all: true }, { family: 4 }])(
  'N19: a connection that a library makes, asked with %j, is guarded too',
  async (options) => {
    const lookUp = (hosts: ReadonlySet<string>) =>
      new Promise((resolve) =>
        guardedLookup(hosts)('localhost', options, (error, found) => resolve(error ?? found)),
      )
    expect(await lookUp(new Set())).toBeInstanceOf(AddressRefused)
    expect(await lookUp(new Set(['elsewhere:9']))).toBeInstanceOf(AddressRefused)
    expect(JSON.stringify(await lookUp(new Set(['localhost:9'])))).toMatch(/127\.0\.0\.1|::1/)
  },
)
