// npm start -- --dev: the development server of Next.js, with hot reload; migrates first.
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { bundle, main, prepare, ROOT, run } from './setup.mjs'
import { writeWords } from './words.mjs'

await main(async () => {
  await prepare()
  await bundle()
  await run(
    process.execPath,
    ['dist/commands.js', 'db', 'migrate'],
    'the migration failed: see the lines above',
  )
  const args = ['node_modules/next/dist/bin/next', 'dev', '--port', process.env.PORT ?? '3000']
  args.push('--hostname', process.env.HOST ?? '127.0.0.1')
  spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  watch(join(ROOT, 'lib/i18n/words'), { recursive: true }, writeNewWords)
})

/** Next.js sees what is written; words that do not fit are named, and the old ones stay. */
function writeNewWords() {
  try {
    writeWords()
  } catch (error) {
    console.error(error.message)
  }
}
