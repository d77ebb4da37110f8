import { once } from 'node:events'
import { crc32, createDeflate } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** Pictures to send, honest ones and others. */

const RED = { r: 255, g: 0, b: 0 }
const BLUE = { r: 0, g: 0, b: 255 }

/** Red on the left, blue on the right. */
export function twoColours(width = 400, height = 200): Sharp {
  const right = { create: { width: width / 2, height, channels: 3 as const, background: BLUE } }
  return sharp({ create: { width, height, channels: 3, background: RED } }).composite([
    { input: right, left: width / 2, top: 0 },
  ])
}

/** The colour of one point of what came out. */
export async function colourAt(webp: Uint8Array, left: number, top: number): Promise<string> {
  const point = sharp(webp).extract({ left, top, width: 1, height: 1 }).removeAlpha().raw()
  const [red = 0, , blue = 0] = await point.toBuffer()
  return red > blue ? 'red' : 'blue'
}

/** A few hundred kilobytes that would be 50 000 by 50 000 points. */
export async function bombPng(side = 50_000): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.writeUInt8(1, 8) // one bit a point, grey
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const data = await deflated(side * (1 + Math.ceil(side / 8)))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

async function deflated(zeros: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 1 })
  const parts: Buffer[] = []
  deflate.on('data', (part: Buffer) => parts.push(part))
  const block = Buffer.alloc(1024 * 1024)
  for (let left = zeros; left > 0; left -= block.length) {
    if (!deflate.write(block.subarray(0, Math.min(left, block.length))))
      await once(deflate, 'drain')
  }
  deflate.end()
  await once(deflate, 'end')
  return Buffer.concat(parts)
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body) >>> 0)
  return Buffer.concat([length, body, sum])
}
