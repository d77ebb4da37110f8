import { z } from 'zod'
import type { Accents, BrandText } from '../../base/branding'
import { isColour, THEMES, type Theme } from '../../base/contrast'
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
export type Branding = Accents & BrandTexts & { logos: LogoIds }

const colour = z.string().refine(isColour).nullable().catch(null).default(null)
const texts = z.record(z.string(), z.string()).catch({}).default({})
const stored = z.object({
  accent: colour,
  accentDark: colour,
  signInText: texts,
  consentText: texts,
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
  { accent, accentDark, signInText, consentText }: Accents & BrandTexts,
  now: Date,
): Promise<number> {
  const { count } = await prisma(tx).application.updateMany({
    where: { id, version },
    data: {
      branding: { accent, accentDark, signInText, consentText },
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

export async function findLogo(db: Reader, id: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const row = await prisma(db).applicationLogo.findUnique({ where: { id }, select: { webp: true } })
  return row?.webp ?? null
}
