// npm start -- --dev: the development server of Next.js, with hot reload; migrates first.
import { spawn } from 'node:child_process'
import { bundle, main, prepare, ROOT, run } from './setup.mjs'

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
})
