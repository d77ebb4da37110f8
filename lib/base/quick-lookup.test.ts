import { createSocket, type Socket } from 'node:dgram'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { quickLookup } from './quick-lookup'

const HEADER_BYTES = 12
/** The name of the question, IN, a minute. */
const RECORD = [0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60]

describe('R24: the address of a name that an unknown caller chose', () => {
  let server: Socket
  let address: string

  beforeAll(async () => {
    server = createSocket('udp4', (query, { port, address: to }) => {
      const name = query.toString('latin1')
      if (name.includes('silent')) return
      server.send(answerTo(query, name.includes('known') ? [203, 0, 113, 9] : null), port, to)
    })
    await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve))
    address = `127.0.0.1:${server.address().port}`
  })

  afterAll(() => {
    server.close()
  })

  test('is asked of the name servers', async () => {
    const found = { address: '203.0.113.9', family: 4 }
    expect(await quickLookup('known.example', [address])).toEqual(found)
    await expect(quickLookup('missing.example', [address])).rejects.toThrow('no address')
  })

  test('is given up soon, if they do not answer', async () => {
    const began = performance.now()
    await expect(quickLookup('silent.example', [address])).rejects.toThrow('no address')
    expect(performance.now() - began).toBeLessThan(4_500)
  })

  test('of an address is the address', async () => {
    expect(await quickLookup('203.0.113.7')).toEqual({ address: '203.0.113.7', family: 4 })
    expect(await quickLookup('2001:db8::1')).toEqual({ address: '2001:db8::1', family: 6 })
  })
})

/** RFC 1035 §4: an address if there is one and it was asked for; otherwise no records. */
function answerTo(query: Buffer, known: number[] | null): Buffer {
  const end = query.indexOf(0, HEADER_BYTES) + 5
  const records = known && query.readUInt16BE(end - 4) === 1 ? 1 : 0
  const header = Buffer.from(query.subarray(0, HEADER_BYTES))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(records, 6)
  header.writeUInt32BE(0, 8)
  const record = records === 0 ? [] : [...RECORD, 0, 4, ...(known ?? [])]
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), Buffer.from(record)])
}
