import { readConfig } from '../../lib/settings/config'
import { freshDatabase, type KINDS } from './databases'
import { temporaryFolder } from './folder'

type Kind = (typeof KINDS)[number]

/** Of a portal without any data, with a folder of its own and without a log. */
export async function freshConfig(kind: Kind, more: Record<string, string> = {}) {
  const DATABASE_URL = await freshDatabase[kind]()
  return readConfig({ DATABASE_URL, DATA_DIR: temporaryFolder(), LOG_LEVEL: 'silent', ...more })
}
