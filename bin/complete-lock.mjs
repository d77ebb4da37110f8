// After a change of dependencies: node bin/complete-lock.mjs [bench]
// npm leaves optional packages of other platforms out of the lockfile when the registry at hand does
// not have them, and `npm ci` then refuses that lockfile everywhere. This writes them back by name.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './setup.mjs'

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm64', 'arm', 'x64', 'ia32', 'ppc64', 's390x', 'riscv64', 'wasm32']

export function missingFrom(lock) {
  return Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) =>
    Object.entries(optionalDependencies).filter(([name]) => !isLocked(lock, name)),
  )
}

function isLocked(lock, name) {
  return Object.keys(lock.packages).some((path) => path.endsWith(`node_modules/${name}`))
}

function entryFor(name, version) {
  const words = name.split(/[/-]/)
  const os = SYSTEMS.filter((system) => words.includes(system))
  const cpu = PROCESSORS.filter((processor) => words.includes(processor))
  const libc = words.includes('musl')
    ? { libc: ['musl'] }
    : words.includes('gnu')
      ? { libc: ['glibc'] }
      : {}
  return { version, cpu, ...libc, optional: true, ...(os.length > 0 && { os }) }
}

if (process.argv[1]?.endsWith('complete-lock.mjs')) {
  const file = join(ROOT, process.argv[2] ?? '', 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  const missing = missingFrom(lock)
  for (const [name, version] of missing) {
    lock.packages[`node_modules/${name}`] = entryFor(name, version)
  }
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1))
  lock.packages = Object.fromEntries(sorted)
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
  console.log(`added ${missing.map(([name]) => name).join(', ') || 'nothing'}`)
}
