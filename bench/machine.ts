import { readFileSync } from 'node:fs'
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os'

/** Where and with what it was measured. */

const PEERS = ['oidc-provider', 'better-auth', 'jose', 'casbin', 'better-sqlite3', 'libsql']

export function machineLines(driver: string): string[] {
  const [cpu] = cpus()
  const load = loadavg().map((value) => value.toFixed(1))
  const versions = PEERS.filter((name) => name !== 'libsql' || driver === 'libsql')
    .map((name) => `${name} ${versionOf(name)}`)
    .join(', ')
  return [
    `${new Date().toISOString().slice(0, 10)}, ${platform()} ${release()} ${arch()}`,
    `${cpu?.model ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB`,
    `load average at the end: ${load.join(', ')} (the bench itself is in it)`,
    `Node.js ${process.versions.node}, ${versions}`,
  ]
}

function versionOf(name: string): string {
  try {
    return JSON.parse(readFileSync(`bench/node_modules/${name}/package.json`, 'utf8')).version
  } catch {
    return '(not installed)'
  }
}
