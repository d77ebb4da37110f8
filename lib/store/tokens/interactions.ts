import { z } from 'zod'
import { authorizationRequestSchema } from '../../oidc/authorization-request'
import type { Interaction, InteractionStore } from '../../oidc/stores'
import type { Transaction } from '../database/connection'
import { type Database, type InputJsonObject, prisma, sqlOf } from '../database/database'
import { insertStep, jsonIn, type Step, textIn } from '../database/sql'

/** Authorization requests on their way through sign-in and consent. */

const progressSchema = z.object({
  consentedAt: z.number().nullable(),
  chosenAt: z.number().nullable().default(null),
  denied: z.boolean(),
})

export function interactionStore(db: Database): InteractionStore {
  return {
    async save({ id, browserHash, ask, consentedAt, chosenAt, denied, createdAt, expiresAt }) {
      const begun = insertStep('Interaction', {
        id,
        browserHash,
        ask: JSON.stringify(ask),
        clientId: ask.clientId,
        progress: JSON.stringify({ consentedAt, chosenAt, denied }),
        createdAt,
        expiresAt,
      })
      await sqlOf(db).audited({ steps: [begun], events: [] })
    },

    async find(id, now) {
      if (CONTROL.test(id)) return null // PostgreSQL has no text with a NUL
      const row = await sqlOf(db).first(FIND, [id, now])
      if (!row) return null
      return {
        id,
        browserHash: textIn(row.browserHash),
        ask: authorizationRequestSchema.parse(jsonIn(row.ask)),
        ...progressSchema.parse(jsonIn(row.progress)),
      }
    },

    complete: (id, now) => sqlOf(db).audited({ steps: [completeInteraction(id, now)], events: [] }),
  }
}

const CONTROL = /\p{Cc}/u
const FIND = `
  SELECT "browserHash", "ask", "progress" FROM "Interaction"
  WHERE "id" = ? AND "completedAt" IS NULL AND "expiresAt" > ?`

/** The user pressed Cancel; the application learns it when the browser returns. */
export async function denyInteraction(tx: Transaction, id: string): Promise<void> {
  await prisma(tx).interaction.updateMany({
    where: { id, completedAt: null },
    data: { progress: { consentedAt: null, chosenAt: null, denied: true } },
  })
}

/** The user said that the device is theirs; nothing else ever changes what was asked. */
export async function confirmDevice(
  tx: Transaction,
  { id, ask }: Pick<Interaction, 'id' | 'ask'>,
  now: Date,
): Promise<void> {
  const device = ask.device && { ...ask.device, confirmedAt: now.getTime() }
  await prisma(tx).interaction.updateMany({
    where: { id, completedAt: null },
    data: { ask: { ...ask, device } as InputJsonObject },
  })
}

const COMPLETE = `
  UPDATE "Interaction" SET "completedAt" = ?
  WHERE "id" = ? AND "completedAt" IS NULL AND "expiresAt" > ?`

/** Done for the one call that completed it. */
export function completeInteraction(id: string, now: Date): Step {
  return { text: COMPLETE, values: [now, id, now], locks: id }
}

/** The user chose the account. */
export async function markChosen(tx: Transaction, id: string, now: Date): Promise<void> {
  await prisma(tx).interaction.updateMany({
    where: { id, completedAt: null },
    data: { progress: { consentedAt: null, chosenAt: now.getTime(), denied: false } },
  })
}

/** The user answered within this interaction, so the account is chosen too. */
export async function markConsented(tx: Transaction, id: string, now: Date): Promise<void> {
  await prisma(tx).interaction.updateMany({
    where: { id, completedAt: null },
    data: { progress: { consentedAt: now.getTime(), chosenAt: now.getTime(), denied: false } },
  })
}
