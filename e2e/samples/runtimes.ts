import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a sample runs on, and in which version; null: it is not on this machine. */

type Runtime = { name: string; ask: [string, ...string[]]; version: RegExp; packages: Packages }
type Packages = (folder: string, install: string) => string[]

const none: Packages = () => []

export const RUNTIMES = {
  curl: { name: 'curl', ask: ['curl', '--version'], version: /curl ([\d.]+)/, packages: none },
  node: { name: 'Node.js', ask: ['node', '-v'], version: /v([\d.]+)/, packages: npmPackages },
  python: {
    name: 'Python',
    ask: ['python3', '--version'],
    version: /Python ([\d.]+)/,
    packages: pipPackages,
  },
  go: { name: 'Go', ask: ['go', 'version'], version: /go([\d.]+)/, packages: goPackages },
  maven: {
    name: 'Java',
    ask: ['mvn', '-v'],
    version: /Java version: ([\d.]+)/,
    packages: mavenPackages,
  },
  java: { name: 'Java', ask: ['java', '-version'], version: /version "([\d.]+)/, packages: none },
  rust: {
    name: 'Rust',
    ask: ['cargo', '--version'],
    version: /cargo ([\d.]+)/,
    packages: cargoPackages,
  },
  php: { name: 'PHP', ask: ['php', '-v'], version: /PHP ([\d.]+)/, packages: none },
  apache: {
    name: 'Apache',
    ask: ['apache2', '-v'],
    version: /Apache\/([\d.]+)/,
    packages: apachePackages,
  },
} as const satisfies Record<string, Runtime>

export type RuntimeName = keyof typeof RUNTIMES

export function versionOf(runtime: RuntimeName): string | null {
  const { name, ask, version } = RUNTIMES[runtime]
  const found = version.exec(printed(ask, '.'))
  return found ? `${name} ${found[1]}` : null
}

function printed([command = '', ...args]: readonly string[], cwd: string): string {
  const { stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return `${stdout ?? ''}${stderr ?? ''}`
}

function npmPackages(folder: string, install: string): string[] {
  const names = /npm install (.+)/.exec(install)?.[1]?.split(' ') ?? []
  return names.flatMap((named) => {
    const name = named.replace(/(?<=.)@[^/]*$/, '')
    const file = join(folder, 'node_modules', name, 'package.json')
    return existsSync(file) ? [`${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`] : []
  })
}

function pipPackages(folder: string, install: string): string[] {
  const names = (/pip install (.+)/.exec(install)?.[1] ?? '')
    .split(' ')
    .map((name) => name.replaceAll(/"|\[.*?\]/g, '').toLowerCase())
  const listed = printed([join(folder, '.venv/bin/pip'), 'list', '--format=freeze'], folder)
  return listed.split('\n').flatMap((line) => {
    const [name = '', version] = line.split('==')
    return names.includes(name.toLowerCase()) ? [`${name} ${version}`] : []
  })
}

/** Modules that were asked for by a path in them, and programs, whose version is in the command. */
function goPackages(folder: string, install: string): string[] {
  const isProgram = install.includes('go build')
  const programs = [...install.matchAll(/\/(?!v\d+@)([\w-]+)(?:\/v\d+)?@v([\d.]+)/g)]
  if (isProgram) return programs.map(([, name, version]) => `${name} ${version}`)
  const asked = (/go get (.+)/.exec(install)?.[1] ?? '').split(' ')
  const listed = printed(['go', 'list', '-m', '-f', '{{.Path}} {{.Version}}', 'all'], folder)
  return listed
    .split('\n')
    .filter((line) => asked.some((path) => path.startsWith(line.split(' ')[0] || '?')))
    .map((line) => line.replace(/^.*?([\w-]+)(\/v\d+)? v/, '$1 '))
}

function mavenPackages(folder: string): string[] {
  const text = readFileSync(join(folder, 'pom.xml'), 'utf8')
  return [`Spring Boot ${/<parent>[\s\S]*?<version>([\d.]+)/.exec(text)?.[1]}`]
}

function cargoPackages(folder: string, install: string): string[] {
  const lock = join(folder, 'Cargo.lock')
  const text = existsSync(lock) ? readFileSync(lock, 'utf8') : ''
  const names = [...install.matchAll(/cargo add ([\w-]+)/g)].map(([, name = '']) => name)
  return names.flatMap((name) => {
    const version = new RegExp(`name = "${name}"\nversion = "([^"]+)"`).exec(text)?.[1]
    return version ? [`${name} ${version}`] : []
  })
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of dpkg-query
const FORMAT = '-f=${Version}'

function apachePackages(): string[] {
  const version = printed(['dpkg-query', '-W', FORMAT, 'libapache2-mod-auth-openidc'], '.')
  return /^\d/.test(version) ? [`mod_auth_openidc ${version}`] : []
}
