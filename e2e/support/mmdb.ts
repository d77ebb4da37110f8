import { writeFileSync } from 'node:fs'

/**
 * A small file in MaxMind's format, version 2: one network of IPv4 and what is known about it. See
 * https://maxmind.github.io/MaxMind-DB/.
 */

type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

const [TEXT, UINT32, MAP, ARRAY] = [2, 6, 7, 11]
const FIRST_EXTENDED = 7
const MARKER = Buffer.from('abcdef4d61784d696e642e636f6d', 'hex')
const SEPARATOR = 16

export function writeMmdb(path: string, firstByte: number, about: Value): void {
  const bits = Array.from({ length: 8 }, (_, at) => (firstByte >> (7 - at)) & 1)
  const tree = bits.map((bit, at) => {
    const onward = at + 1 < bits.length ? at + 1 : bits.length + SEPARATOR
    return bit === 0 ? [onward, bits.length] : [bits.length, onward]
  })
  const nodes = Buffer.concat(tree.flat().map(uint24))
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: 1,
    database_type: 'City',
    description: {},
    languages: ['en', 'zh-CN'],
    ip_version: 4,
    node_count: bits.length,
    record_size: 24,
  })
  const parts = [nodes, Buffer.alloc(SEPARATOR), encoded(about), MARKER, metadata]
  writeFileSync(path, Buffer.concat(parts))
}

function uint24(value: number): Buffer {
  return Buffer.from([value >> 16, (value >> 8) & 255, value & 255])
}

function encoded(value: Value): Buffer {
  if (typeof value === 'string') return withHead(TEXT, Buffer.byteLength(value), Buffer.from(value))
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return withHead(UINT32, bytes.length, bytes)
  }
  if (Array.isArray(value)) return withHead(ARRAY, value.length, ...value.map(encoded))
  const entries = Object.entries(value).flat()
  return withHead(MAP, entries.length / 2, ...entries.map(encoded))
}

/** Sizes of up to 28 fit into the control byte. */
function withHead(type: number, size: number, ...parts: Buffer[]): Buffer {
  if (size > 28) throw new Error(`${size} does not fit`)
  const head = type > FIRST_EXTENDED ? [size, type - FIRST_EXTENDED] : [(type << 5) | size]
  return Buffer.concat([Buffer.from(head), ...parts])
}
