import type { Op, Transaction } from '../../context/op'
import { openSecrets, sealSecrets } from '../../settings/current'
import { effective, type Settings } from '../../settings/effective'
import { parseStored, type Secrets, type StoredSettings } from '../../settings/model'
import {
  findSettings,
  nextVersion,
  type SettingsRow,
  saveSettings,
} from '../../store/delivery/settings'
import { type ChangeEntry as Change, change } from '../authority/change'
import type { Call } from '../http/operation'
import { isProblem } from '../http/problem'
import { requireSeen, requireWritten } from '../http/version'
import { toWire } from './wire'

/**
 * All settings are one row: read, changed, and written only if nobody else changed it meanwhile.
 */

export type WrittenSettings = { stored: StoredSettings; secrets: Secrets }
type ChangeEntry = Pick<Change, 'event' | 'gives' | 'id' | 'detail'>

export type Representation = { status: 200; body: ReturnType<typeof toWire>; version: number }

/** The latest settings, not those of the snapshot. */
export async function readSettings(op: Op): Promise<WrittenSettings & { row: SettingsRow | null }> {
  const row = await op.read(findSettings)
  return { row, stored: parseStored(row?.value), secrets: openSecrets(op.settingsKey, row) }
}

export function representation(
  op: Op,
  written: WrittenSettings,
  row: SettingsRow | null,
): Representation {
  const settings = settingsOf(op, written, row)
  return { status: 200, body: toWire(op, written, settings), version: settings.version }
}

function settingsOf(
  op: Op,
  { stored, secrets }: WrittenSettings,
  row: SettingsRow | null,
): Settings {
  return effective(op.config, stored, secrets, row?.updatedAt.getTime() ?? 0)
}

export type NextSettings = (before: WrittenSettings) => {
  written: WrittenSettings
  entry: ChangeEntry
}

/** `along` is written in the same transaction. */
export async function changeStored(
  op: Op,
  call: Call,
  next: NextSettings,
  along: (
    tx: Transaction,
    before: WrittenSettings,
    after: WrittenSettings,
  ) => Promise<void> = async () => {},
): Promise<Representation> {
  const { row, ...before } = await readSettings(op)
  const version = row?.updatedAt.getTime() ?? 0
  requireSeen(call.ifMatch, { version }, toWire(op, before, settingsOf(op, before, row)))
  const { written, entry } = next(before)
  const updatedAt = nextVersion(row, op.now())
  const data = {
    value: JSON.parse(JSON.stringify(written.stored)),
    secretEncrypted: sealSecrets(op.settingsKey, written.secrets),
    updatedAt,
  }
  const touches = [{ kind: 'settings' } as const]
  try {
    await change(op, call, { ...entry, kind: 'settings', touches }, async (tx) => {
      requireWritten(await saveSettings(tx, row, data))
      await along(tx, before, written)
    })
  } catch (error) {
    // Two first changes at the same time.
    if (!row && isProblem(error) && error.code === 'conflict') requireWritten(0)
    throw error
  }
  return representation(op, written, { ...data, updatedAt })
}
