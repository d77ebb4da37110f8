import type sharp from 'sharp'
import type { Sharp } from 'sharp'

/**
 * Draws an uploaded picture again: the portal stores and serves its own pixels, never the uploaded
 * bytes (attack N18). Only four formats are decoded, each by its own reader, whatever the file name
 * says.
 */

const SIDE = 256
/** A scene is beside the sign-in: as large and as fine as its bytes allow. */
const SCENES: readonly [side: number, quality: number][] = [
  [1_200, 80],
  [1_200, 50],
  [800, 50],
  [600, 30],
]
const MAX_SCENE_BYTES = 120_000
const MAX_PIXELS = 64_000_000
const SECONDS = 10
const QUALITY = 82

export const MAX_PICTURE = 5 * 1024 * 1024

const KINDS: [name: string, starts: (bytes: Buffer) => boolean][] = [
  ['png', (bytes) => bytes.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
  ['gif', (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))],
  ['webp', (bytes) => /^RIFF[\s\S]{4}WEBP$/.test(bytes.toString('latin1', 0, 12))],
]

export type PictureProblem = 'picture_missing' | 'picture_large' | 'picture_kind' | 'picture_broken'
type DrawingResult =
  | { ok: true; webp: Uint8Array<ArrayBuffer> }
  | { ok: false; problem: PictureProblem }

/** A portrait fills its square; a logo is shown completely, on a transparent background. */
const FITS = {
  portrait: { fit: 'cover' },
  logo: { fit: 'contain', background: { r: 0, g: 0, b: 0, alpha: 0 } },
} as const
type Fit = keyof typeof FITS | 'scene'

export async function drawPicture(sent: Buffer, fit: Fit = 'portrait'): Promise<DrawingResult> {
  if (sent.length === 0) return { ok: false, problem: 'picture_missing' }
  if (sent.length > MAX_PICTURE) return { ok: false, problem: 'picture_large' }
  const kind = KINDS.find(([, starts]) => starts(sent))?.[0]
  if (!kind) return { ok: false, problem: 'picture_kind' }
  return oneAtATime(() => draw(sent, kind, fit))
}

let loaded: Promise<typeof sharp> | null = null

/** Loaded with the first picture: libvips takes 25 MB, and many portals never need it. */
function reader(): Promise<typeof sharp> {
  loaded ??= loadReader()
  return loaded
}

async function loadReader(): Promise<typeof sharp> {
  const { default: sharp } = await import('sharp')
  // libvips reads many more formats than are allowed here.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: [
      'VipsForeignLoadPng',
      'VipsForeignLoadJpeg',
      'VipsForeignLoadNsgif',
      'VipsForeignLoadWebp',
    ],
  })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
}

async function draw(sent: Buffer, kind: string, fit: Fit): Promise<DrawingResult> {
  const open = await reader()
  try {
    const picture = open(sent, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
    const { format } = await picture.metadata()
    if (format !== kind) return { ok: false, problem: 'picture_kind' }
    const upright = picture.timeout({ seconds: SECONDS }).autoOrient()
    const webp =
      fit === 'scene'
        ? await scene(upright)
        : await upright.resize(SIDE, SIDE, FITS[fit]).webp({ quality: QUALITY }).toBuffer()
    if (webp === null) return { ok: false, problem: 'picture_large' }
    return { ok: true, webp: new Uint8Array(webp) }
  } catch {
    // Incomplete, damaged, or more pixels than a camera has.
    return { ok: false, problem: 'picture_broken' }
  }
}

async function scene(picture: Sharp): Promise<Buffer | null> {
  for (const [side, quality] of SCENES) {
    const within = { fit: 'inside', withoutEnlargement: true } as const
    const webp = await picture.clone().resize(side, side, within).webp({ quality }).toBuffer()
    if (webp.length <= MAX_SCENE_BYTES) return webp
  }
  return null
}

let last: Promise<unknown> = Promise.resolve()

/** Decoding takes memory, so only one picture is decoded at a time. */
function oneAtATime<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work)
  last = next.catch(() => {})
  return next
}
