import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../support/ask'
import { temporaryFolder } from '../support/folder'
import { freePort } from '../support/postgres'

/**
 * What deploy/Dockerfile copies into the image: made by its own line, and started by its own command,
 * read-only and, where the test may change the user, as a user without rights.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const dockerfile = readFileSync(`${ROOT}deploy/Dockerfile`, 'utf8')
const MAX_MEGABYTES = 115
const START_MS = 120_000
const USER = 65532
const isRoot = process.getuid?.() === 0
/** This Node.js, and others whose executables `OTHER_NODES` names. */
const NODES = [process.execPath, ...(process.env.OTHER_NODES?.split(delimiter) ?? [])]

const tree = join(temporaryFolder(), 'tree')

function lineOf(pattern: RegExp): string {
  const found = pattern.exec(dockerfile)?.[1]
  if (found === undefined) throw new Error(`deploy/Dockerfile has no line ${pattern}`)
  return found
}

const argumentsOf = (word: string): string[] =>
  JSON.parse(lineOf(new RegExp(`^(?:HEALTHCHECK .*)?${word} (\\[.*\\])$`, 'm')))

const environment = Object.fromEntries(
  [...dockerfile.matchAll(/^ENV (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
)

beforeAll(() => {
  const [program = '', ...rest] = lineOf(/^RUN (node bin\/pack\.mjs) \/srv\/gatehouse$/m).split(' ')
  execFileSync(program, [...rest, tree], { cwd: ROOT })
  readOnly(tree)
}, START_MS * 3)

afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', tree])
  rmSync(tree, { recursive: true })
})

type Running = { port: string; stop(): Promise<number | null> }

async function start(node: string): Promise<Running> {
  const data = temporaryFolder()
  if (isRoot) chownSync(data, USER, USER)
  const port = String(await freePort())
  const [, ...options] = argumentsOf('ENTRYPOINT')
  const [, entry = ''] = /^CMD \["(.*)"\]$/m.exec(dockerfile) ?? []
  const child = spawn(node, [...options, entry], {
    cwd: tree,
    // No HOME: a container may run as a user whom the system does not know.
    env: {
      ...environment,
      PORT: port,
      DATA_DIR: data,
      HOST: '127.0.0.1',
      ISSUER: 'https://id.example.com',
      GATEHOUSE_SECRET: 'x1y2'.repeat(16),
    } as unknown as NodeJS.ProcessEnv,
    ...(isRoot && { uid: USER, gid: USER }),
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  await ready(port, () => output)
  return {
    port,
    stop() {
      child.kill('SIGTERM')
      return exited
    },
  }
}

function readOnly(folder: string): void {
  execFileSync('chmod', ['-R', 'a-w,a+rX', folder])
  chmodSync(join(folder, '..'), 0o755)
}

async function ready(port: string, output: () => string): Promise<void> {
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline) {
    const answer = await ask(`http://127.0.0.1:${port}`, { path: '/readyz' }).catch(() => null)
    if (answer?.status === 200) return
    await sleep(200)
  }
  throw new Error(`not ready:\n${output()}`)
}

describe('the image', () => {
  test('every file that it copies from the repository exists', () => {
    const [files = ''] = [lineOf(/^COPY (package.*) \.\/$/m)]
    expect(files.split(' ').filter((file) => !existsSync(`${ROOT}${file}`))).toEqual([])
  })

  test(`its tree has at most ${MAX_MEGABYTES} MB`, () => {
    const sizes = execFileSync('find', [tree, '-type', 'f', '-printf', '%s\n'], {
      encoding: 'utf8',
      maxBuffer: 16 * 1024 * 1024,
    })
    const bytes = sizes.split('\n').reduce((sum, size) => sum + Number(size), 0)
    expect(bytes / 1e6).toBeLessThan(MAX_MEGABYTES)
  })

  test('it contains no sources, tests or secrets', () => {
    const names = readdirSync(tree)
    for (const name of ['lib', 'app', 'e2e', 'data', '.env', '.git'])
      expect(names).not.toContain(name)
  })
})

describe.each(NODES)('the image, started by %s', (node) => {
  let running: Running
  beforeAll(async () => {
    running = await start(node)
  }, START_MS * 2)
  afterAll(() => running.stop())

  const page = (path: string) =>
    ask(`http://127.0.0.1:${running.port}`, { path, headers: { host: 'id.example.com' } })

  test('protocol, pages and documents answer', async () => {
    const paths = ['/.well-known/openid-configuration', '/login', '/docs/concepts', '/docs/api']
    for (const path of paths) expect((await page(path)).status, path).toBe(200)
    expect((await page('/admin')).status).toBe(307)
  })

  test('the health check ends with 0, and with 1 where nobody listens', () => {
    const [, script = ''] = argumentsOf('CMD')
    const check = (asked: string) =>
      execFileSync(node, [script], { cwd: tree, env: { ...process.env, PORT: asked } })
    expect(() => check(running.port)).not.toThrow()
    expect(() => check('1')).toThrow()
  })

  test('it ends with 0 when it is asked to stop', async () => {
    expect(await running.stop()).toBe(0)
  })
})
