import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'

/** Data folders with sample data, one for each kind of database; see make-databases.ts. */
export const DEMO_TEMPLATES = 'E2E_DEMO_TEMPLATES'

export type DemoFolders = { sqlite: string; postgres: string }

/** Null outside of a run that made them. */
export function demoFolders(): DemoFolders | null {
  const text = process.env[DEMO_TEMPLATES]
  return text === undefined ? null : JSON.parse(text)
}

/** Before a start with --demo: its database, unless that is elsewhere, and the secrets in it. */
export function copyDemo(dataDir: string, databaseUrl: string | undefined): void {
  const folders = demoFolders()
  if (!folders) return
  if (databaseUrl === undefined) {
    cpSync(folders.sqlite, dataDir, { recursive: true })
    return
  }
  const from = databaseUrl.startsWith('file:') ? folders.sqlite : folders.postgres
  // Where the database holds no sample data the portal loads them, and writes the file anew.
  copyFileSync(join(from, 'demo.json'), join(dataDir, 'demo.json'))
}
