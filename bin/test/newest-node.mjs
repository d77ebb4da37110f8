// The newest long-term Node.js, for `npm test -- --all`: npm's package `node` carries its binary.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

const MAJOR = '24'

/** { path, version }, or null where it cannot be installed or does not run. */
export async function newestNode(folder = join(process.env.TMPDIR ?? '/tmp', 'newest-node')) {
  mkdirSync(folder, { recursive: true })
  const install = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund']
  // The .npmrc of the repository refuses the script that fetches the binary. It does not hold in that
  // folder, but `npm test` has put what it says into the environment.
  const env = { ...process.env, npm_config_strict_allow_scripts: 'false' }
  const where = { cwd: folder, env, stdio: 'inherit' }
  const { status } = spawnSync('npm', [...install, `node@${MAJOR}`], where)
  if (status !== 0) return null
  const path = join(folder, 'node_modules/node/bin/node')
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return stdout?.startsWith('v') ? { path, version: stdout.trim().slice(1) } : null
}
