// The documents of docs/ as a module of the portal, so that every build contains them. Markdown is
// read here and never when a page is shown.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MODULE = join(ROOT, 'lib/docs/compiled.ts')
const MARKDOWN_OR_PICTURE = /\.(md|svg)$/

/** A second time it does nothing, unless a document or the code that reads it has changed. */
export async function writeDocuments() {
  const stamp = `// ${hashOfInputs()}`
  if (existsSync(MODULE) && readFileSync(MODULE, 'utf8').startsWith(`${stamp}\n`))
    return 'up to date'
  const { compile } = await compiler()
  const compiled = compile((file) => readFileSync(join(ROOT, file), 'utf8'))
  // As text: the type checker need not look into it, and it is parsed when a page first needs it.
  const text = JSON.stringify(JSON.stringify(compiled))
  writeFileSync(
    MODULE,
    [
      stamp,
      "import type { CompiledDocuments } from './document'",
      '',
      `export const compiled: CompiledDocuments = JSON.parse(${text})`,
      '',
    ].join('\n'),
  )
  return 'written'
}

/** It is TypeScript, so it is bundled first. */
async function compiler() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['lib/docs/compile.ts'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
  })
  return import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
  )
}

function hashOfInputs() {
  const hash = createHash('sha256')
  for (const file of inputs())
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
  return hash.digest('hex')
}

function inputs() {
  const within = (folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name))
  const documents = within('docs').filter((name) => MARKDOWN_OR_PICTURE.test(name))
  const code = within('lib/docs').filter(
    (name) => name.endsWith('.ts') && !name.endsWith('compiled.ts') && !name.endsWith('.test.ts'),
  )
  return [...documents, ...code, 'CHANGELOG.md', 'bin/documents.mjs', 'package-lock.json'].sort()
}
