// The templates of the quick starts as a module of the portal, so that every build contains them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../lib/quick-start/templates', import.meta.url))
const MODULE = fileURLToPath(new URL('../lib/quick-start/compiled.ts', import.meta.url))

/** The files by their paths below lib/quick-start/templates. */
export function writeTemplates() {
  const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
  const templates = Object.fromEntries(
    files.map((file) => [
      relative(FOLDER, file).split(sep).join('/'),
      readFileSync(file, 'utf8').replaceAll('\r\n', '\n'),
    ]),
  )
  const text = `export const templates: Readonly<Record<string, string>> = ${JSON.stringify(templates)}\n`
  if (existsSync(MODULE) && readFileSync(MODULE, 'utf8') === text) return 'up to date'
  writeFileSync(MODULE, text)
  return 'written'
}
