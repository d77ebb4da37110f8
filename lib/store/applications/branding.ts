import { z } from 'zod'
import type { Accents, BrandText } from '../../base/branding'
import { isColour, THEMES, type Theme } from '../../base/contrast'
import { type MethodChoice, SIGN_IN_METHODS } from '../../base/sign-in-methods'
import type { Reader, Transaction } from '../database/connection'
import { prisma } from '../database/database'
import { oneOf } from '../database/json'
import type { ReadVersion } from './applications'

/**
 * How an application looks on the sign-in and consent pages. Logos have random IDs of their own.
 */

type LogoIds = Readonly<Record<Theme, string | null>>
/** By language. */
type BrandTexts = Record<BrandText, Record<string, string>>
export type Branding = Accents &
  BrandTexts & {
    /** Null for those of the portal. */
    methods: MethodChoice | null
    logos: LogoIds
    /** The ID of its picture beside the sign-in; null for that of the portal. */
    picture: string | null
  }

const colour = z.string().refine(isColour).nullable().catch(null).default(null)
const texts = z.record(z.string(), z.string()).catch({}).default({})
const methods = z.array(z.enum(SIGN_IN_METHODS))
const stored = z.object({
  accent: colour,
  accentDark: colour,
  signInText: texts,
  consentText: texts,
  // A newer server process may know other methods.
  methods: z.object({ order: methods, hidden: methods }).nullable().catch(null).default(null),
  picture: z.string().nullable().default(null),
})

export const BRANDING_FIELDS = {
  branding: true,
  logos: { select: { id: true, theme: true } },
} as const

type Row = { branding: unknown; logos: readonly { id: string; theme: string }[] }

export function toBranding({ branding, logos }: Row): Branding {
  const idOf = (theme: Theme) =>
    logos.find((logo) => oneOf(THEMES, logo.theme) === theme)?.id ?? null
  return { ...stored.parse(branding), logos: { light: idOf('light'), dark: idOf('dark') } }
}

export async function findBranding(db: Reader, id: string): Promise<Branding> {
  const row = await prisma(db).application.findUniqueOrThrow({
    where: { id },
    select: BRANDING_FIELDS,
  })
  return toBranding(row)
}

/** The number of changed rows: 0 if somebody else changed it first. */
export async function saveBranding(
  tx: Transaction,
  { id, version }: ReadVersion,
  { logos: _, ...branding }: Branding,
  now: Date,
): Promise<number> {
  const { count } = await prisma(tx).application.updateMany({
    where: { id, version },
    data: {
      branding,
      updatedAt: now,
      version: version + 1,
    },
  })
  return count
}

// ---------------------------------------------------------------- logos

type NewLogo = {
  id: string
  applicationId: string
  theme: Theme
  webp: Uint8Array<ArrayBuffer>
}

export async function replaceLogo(tx: Transaction, logo: NewLogo, now: Date): Promise<void> {
  const { applicationId, theme, ...picture } = { ...logo, createdAt: now }
  await prisma(tx).applicationLogo.upsert({
    where: { applicationId_theme: { applicationId, theme } },
    create: { applicationId, theme, ...picture },
    update: picture,
  })
}

export async function removeLogo(
  tx: Transaction,
  applicationId: string,
  theme: Theme,
): Promise<number> {
  return (await prisma(tx).applicationLogo.deleteMany({ where: { applicationId, theme } })).count
}

// ---------------------------------------------------------------- other pictures

type NewPicture = { id: string; applicationId: string | null; webp: Uint8Array<ArrayBuffer> }

export async function addPicture(tx: Transaction, picture: NewPicture, now: Date): Promise<void> {
  await prisma(tx).brandPicture.create({ data: { ...picture, createdAt: now } })
}

export async function removePicture(
  tx: Transaction,
  which: { id: string } | { applicationId: string },
): Promise<number> {
  return (await prisma(tx).brandPicture.deleteMany({ where: which })).count
}

/** A logo of an application, or one of the other pictures. */
export async function findLogo(db: Reader, id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const one = { where: { id }, select: { webp: true } }
  const row =
    (await prisma(db).applicationLogo.findUnique(one)) ??
    (await prisma(db).brandPicture.findUnique(one))
  return row?.webp ?? null
}
