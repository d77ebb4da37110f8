import { seal, unseal } from '../crypto/seal'
import { isUnavailable } from '../store/database/unavailable'
import type { SettingsRow } from '../store/delivery/settings'
import type { Config } from './config'
import { effective, type Settings } from './effective'
import { NO_SECRETS, parseSecrets, parseStored, type Secrets } from './model'

/** The settings in force: read with the snapshot and computed once per change. */

const BOUND = 'portal'

export type CurrentSettings = {
  /** At most a second old; the last known settings if the database cannot be reached. */
  current(): Promise<Settings>
  /**
   * The known settings, without a query. For callers that have just asked, on frequent paths, and
   * within a transaction, in which SQLite has no second connection.
   */
  known(): Settings
  /** What a stored row makes of them, for a row that is not in force. */
  settingsOf(row: SettingsRow | null): Settings
}

type Snapshots = {
  get(): Promise<{ settings: SettingsRow | null }>
  known(): { settings: SettingsRow | null } | null
}

export function currentSettings(config: Config, key: Buffer, snapshots: Snapshots) {
  const unset = effective(config, parseStored({}), NO_SECRETS, 0)
  const worked = new WeakMap<SettingsRow, Settings>()

  function settingsOf(row: SettingsRow | null): Settings {
    if (!row) return unset
    const known = worked.get(row)
    if (known) return known
    const version = row.updatedAt.getTime()
    const made = effective(config, parseStored(row.value), openSecrets(key, row), version)
    worked.set(row, made)
    return made
  }

  const known = () => settingsOf(snapshots.known()?.settings ?? null)

  return {
    known,
    settingsOf,
    async current() {
      try {
        return settingsOf((await snapshots.get()).settings)
      } catch (error) {
        if (!isUnavailable(error)) throw error
        return known()
      }
    },
  } satisfies CurrentSettings
}

export function openSecrets(key: Buffer, row: SettingsRow | null): Secrets {
  if (!row?.secretEncrypted) return NO_SECRETS
  return parseSecrets(unseal(key, BOUND, row.secretEncrypted))
}

export function sealSecrets(key: Buffer, secrets: Secrets): string {
  return seal(key, BOUND, JSON.stringify(secrets))
}
