import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, usually } from '../../e2e/support/databases'
import { temporaryFolder } from '../../e2e/support/folder'
import { PICTURE_KB } from '../../e2e/support/page-budget'
import { bombPng, colourAt, twoColours } from '../../e2e/support/pictures'
import { createOp, type OpenOp } from '../op'
import { readConfig } from '../settings/config'
import type { Session } from '../store/accounts/sessions'
import { createUser } from '../store/accounts/users'
import { migrate } from '../store/operations/migrations'
import { openPicture, picturePath, removePicture, savePicture } from './avatar'
import { drawPicture, MAX_PICTURE } from './draw-picture'
import { startSession } from './new-session'

const SCRIPT = '<script>alert(1)</script>'
const HTML = `<!doctype html><html>${SCRIPT}</html>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`

async function drawn(sent: Buffer): Promise<Uint8Array> {
  const result = await drawPicture(sent)
  if (!result.ok) throw new Error(result.problem)
  return result.webp
}

const formatsOf = async (webp: Uint8Array) => {
  const { format, width, height, pages, exif, xmp, icc } = await sharp(webp).metadata()
  return { format, width, height, pages, exif, xmp, icc }
}

const SQUARE = { format: 'webp', width: 256, height: 256 }

describe('N18: a picture is drawn anew', () => {
  test.each(['png', 'jpeg', 'webp', 'gif'] as const)('from %s', async (format) => {
    const webp = await drawn(await twoColours().toFormat(format).toBuffer())
    expect(await formatsOf(webp)).toEqual(SQUARE)
    expect(await colourAt(webp, 10, 128)).toBe('red')
    expect(await colourAt(webp, 245, 128)).toBe('blue')
  })

  test('upright, and without what the camera noted', async () => {
    const exif = { IFD0: { Artist: 'Secret Artist' }, IFD3: { GPSLatitude: '47/1 22/1 0/1' } }
    const sent = await twoColours()
      .withExif(exif)
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    expect(sent.includes('Secret Artist')).toBe(true)
    const webp = await drawn(sent)
    expect(await formatsOf(webp)).toEqual(SQUARE)
    expect(Buffer.from(webp).includes('Secret')).toBe(false)
    expect(await colourAt(webp, 128, 10)).toBe('red')
    expect(await colourAt(webp, 128, 245)).toBe('blue')
  })

  test('a picture beside the sign-in is as large as its bytes allow, whatever is on it', async () => {
    const create = { width: 2_400, height: 1_800, channels: 3 as const, background: 'black' }
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
    const worst = await sharp({ create: { ...create, noise } })
      .jpeg({ quality: 90 })
      .toBuffer()
    const easy = await twoColours(2_400, 1_800).png().toBuffer()
    for (const [sent, widest] of [
      [worst, 800],
      [easy, 1_200],
    ] as const) {
      const result = await drawPicture(sent, 'scene')
      if (!result.ok) throw new Error(result.problem)
      expect(result.webp.length).toBeLessThanOrEqual(PICTURE_KB * 1_000)
      const { width, height } = await sharp(result.webp).metadata()
      expect([width <= widest, width / height]).toEqual([true, 4 / 3])
    }
    const small = await drawPicture(await twoColours(40, 20).png().toBuffer(), 'scene')
    expect(small.ok && (await sharp(small.webp).metadata()).width).toBe(40)
  })

  test('of an animation the first frame', async () => {
    const red = await sharp({ create: frame('red') })
      .png()
      .toBuffer()
    const blue = await sharp({ create: frame('blue') })
      .png()
      .toBuffer()
    for (const format of ['gif', 'webp'] as const) {
      const moving = sharp([red, blue], { join: { animated: true } })
      const webp = await drawn(await moving.toFormat(format).toBuffer())
      expect(await formatsOf(webp)).toEqual(SQUARE)
      expect(await colourAt(webp, 128, 128)).toBe('red')
    }
  })

  test('what hides behind a picture is left out', async () => {
    const gif = await twoColours().gif().toBuffer()
    const png = await twoColours().png().toBuffer()
    for (const picture of [gif, png]) {
      const webp = await drawn(Buffer.concat([picture, Buffer.from(HTML)]))
      expect(Buffer.from(webp).includes('script')).toBe(false)
    }
  })

  test.each([
    ['picture_missing', async () => Buffer.alloc(0)],
    ['picture_kind', async () => Buffer.from(HTML)],
    ['picture_kind', async () => Buffer.from(SVG)],
    ['picture_kind', async () => Buffer.from(`<?xml version="1.0"?>\n${SVG}`)],
    ['picture_kind', async () => Buffer.from('%PDF-1.7')],
    ['picture_kind', async () => twoColours().tiff().toBuffer()],
    ['picture_kind', async () => twoColours().avif().toBuffer()],
    ['picture_broken', async () => Buffer.from(`GIF89a/*${HTML}*/`)],
    ['picture_broken', async () => Buffer.concat([pngStart, Buffer.from(SVG)])],
    ['picture_broken', async () => halfOf(await twoColours(900, 900).jpeg().toBuffer())],
    ['picture_broken', async () => halfOf(await twoColours(900, 900).png().toBuffer())],
    ['picture_broken', () => bombPng()],
    ['picture_large', async () => Buffer.concat([pngStart, Buffer.alloc(MAX_PICTURE)])],
  ])('%s', async (problem, sent) => {
    const before = process.memoryUsage().rss
    expect(await drawPicture(await sent())).toEqual({ ok: false, problem })
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
  })
})

const pngStart = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const halfOf = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)
const frame = (background: string) => ({ width: 64, height: 64, channels: 3 as const, background })

describe.each(usually('sqlite'))('a person’s picture on %s', (kind) => {
  let portal: OpenOp

  beforeAll(async () => {
    const url = await freshDatabase[kind]()
    await migrate(url)
    portal = await createOp(
      readConfig({ DATABASE_URL: url, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent' }),
    )
  })

  afterAll(() => portal.close())

  async function somebody(): Promise<Session> {
    const email = `${crypto.randomUUID()}@example.org`
    const person = { name: 'Ann', email, emailVerified: true, adminRole: null, passwordHash: 'x' }
    const from = { acr: 'pwd', amr: [], ip: null, userAgent: '' }
    const { secret } = await portal.write(async (tx) => {
      const userId = await createUser(tx, person, portal.now())
      return startSession(portal, tx, { userId, ...from })
    })
    const session = await portal.sessions.find(portal.hashSecret(secret), portal.now())
    if (!session) throw new Error('no session')
    return session
  }

  const origin = { ip: '127.0.0.1' }
  const idOf = async (session: Session) =>
    (await picturePath(portal, session))?.replace('/avatar/', '') ?? ''
  const claimOf = async ({ user }: Session) => (await portal.people.find(user.id))?.profile.picture

  test('is the `picture` claim, has another address when replaced, and goes when removed', async () => {
    const session = await somebody()
    expect(await claimOf(session)).toBeUndefined()
    const png = await twoColours().png().toBuffer()
    expect(await savePicture(portal, session, png, origin)).toEqual({ ok: true })
    const first = await idOf(session)
    expect(first).toMatch(/^ava_[\w-]{22}$/)
    expect(await claimOf(session)).toBe(`${portal.origin}/avatar/${first}`)
    expect(Buffer.from((await openPicture(portal, first)) ?? []).toString('latin1', 8, 12)).toBe(
      'WEBP',
    )
    await savePicture(portal, session, png, origin)
    expect(await idOf(session)).not.toBe(first)
    expect(await openPicture(portal, first)).toBeNull()
    expect(await savePicture(portal, session, Buffer.from(SVG), origin)).toMatchObject({
      ok: false,
    })
    expect(await idOf(session)).not.toBe('')
    expect(await removePicture(portal, session, origin)).toBe(true)
    expect(await removePicture(portal, session, origin)).toBe(false)
    expect(await claimOf(session)).toBeUndefined()
    const events = await portal.db.auditEntry.findMany({ where: { actorId: session.user.id } })
    expect(events.map(({ event }) => event)).toEqual([
      'picture.changed',
      'picture.changed',
      'picture.removed',
    ])
  })

  test('N2: is nobody else’s to remove or to change', async () => {
    const [ann, eve] = [await somebody(), await somebody()]
    const png = await twoColours().png().toBuffer()
    await savePicture(portal, ann, png, origin)
    const before = await idOf(ann)
    expect(await removePicture(portal, eve, origin)).toBe(false)
    await savePicture(portal, eve, png, origin)
    expect(await idOf(ann)).toBe(before)
    await portal.db.user.delete({ where: { id: ann.user.id } })
    expect(await openPicture(portal, before)).toBeNull()
  })

  test('two at once leave one, and the twenty-first in a quarter of an hour waits', async () => {
    const session = await somebody()
    const png = await twoColours(20, 20).png().toBuffer()
    const save = () => savePicture(portal, session, png, origin)
    const both = await Promise.all([save(), save()])
    expect(both).toEqual([{ ok: true }, { ok: true }])
    expect(await portal.db.avatar.count({ where: { userId: session.user.id } })).toBe(1)
    for (let time = 2; time < 20; time += 1) await save()
    expect(await save()).toMatchObject({ problem: 'slow_down' })
  })
})
