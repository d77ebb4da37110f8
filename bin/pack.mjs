// node bin/pack.mjs FOLDER: copies what a built portal needs to run into an empty folder, and nothing
// else: the bundles, the pages, and those files of node_modules that they load.
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { main, ROOT, SetupError } from './setup.mjs'
import { isOfOthers, tracedByNext } from './traces.mjs'

const ENTRIES = ['dist/server.js', 'dist/commands.js']
/** Of node_modules, what is found by a name that no trace can see. */
const WHOLE = [
  ...['package.json', 'next.config.js', 'LICENSE', 'public', '.next/static'],
  ...['deploy/healthcheck.mjs', 'node_modules/@prisma/schema-engine-wasm'],
  ...['node_modules/@swc/helpers', 'node_modules/next/dist/compiled/webpack'],
  'node_modules/next/dist/compiled/@babel/runtime/package.json',
]
/** Only resolved at run time, never loaded; and what is for developers. */
const NEVER_LOADED = /compiled\/webpack\/bundle5\.js$|\.development\.js$|\.map$/
const LINKS = '.next/node_modules'
/** What a trace may name: the rest of the repository is there to build from. */
const WANTED = /^(node_modules|dist|\.next)\//
/** Build tools and development servers inside Next.js that a built portal never loads. */
const NEVER = [
  'node_modules/next/dist/compiled/{babel,babel-packages,terser,amphtml-validator}/**',
  'node_modules/next/dist/compiled/next-server/{*.dev.js,*-experimental.*}',
  'node_modules/next/dist/compiled/{@next/font,next-devtools}/**',
  'node_modules/next/dist/server/capsize-font-metrics.json',
  'node_modules/next/dist/compiled/{react,react-dom,react-server-dom-webpack,react-server-dom-turbopack}-experimental/**',
  'node_modules/{typescript,caniuse-lite,@next/swc-*,esbuild,lightningcss,@tailwindcss}/**',
  'node_modules/next/dist/docs/**',
  'node_modules/next/dist/compiled/webpack/bundle5.js',
  'node_modules/**/*.development.js',
]

/** Returns the number of bytes. */
export async function pack(folder) {
  if (!existsSync(join(ROOT, '.next/BUILD_ID')))
    throw new SetupError('build first: node bin/build.mjs')
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new SetupError(`${folder} is not empty`)
  const files = [...(await traced()), ...builtPages(), ...WHOLE.flatMap(filesIn)]
  const wanted = [...new Set(files)].filter((file) => !isOfOthers(file) && !NEVER_LOADED.test(file))
  for (const file of wanted) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(ROOT, file), join(folder, file), { verbatimSymlinks: true })
  }
  // Links by which pages name packages; their targets are traced.
  cpSync(join(ROOT, LINKS), join(folder, LINKS), { recursive: true, verbatimSymlinks: true })
  return wanted.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
}

/** What the bundles and the pages load, as the tracer of Next.js finds it. */
async function traced() {
  const { nodeFileTrace } = createRequire(import.meta.url)('next/dist/compiled/@vercel/nft')
  const { fileList } = await nodeFileTrace(
    ENTRIES.map((entry) => join(ROOT, entry)),
    { base: ROOT, processCwd: ROOT, ignore: NEVER },
  )
  return [...new Set([...fileList, ...tracedByNext(ROOT)])].filter(
    (file) => WANTED.test(file) && statSync(join(ROOT, file)).isFile(),
  )
}

function builtPages() {
  const top = readdirSync(join(ROOT, '.next'), { withFileTypes: true })
  const manifests = top.filter((entry) => entry.isFile()).map(({ name }) => `.next/${name}`)
  const server = filesIn('.next/server').filter((file) => !/\.(map|nft\.json)$/.test(file))
  return [...manifests.filter((file) => !/trace|tsbuildinfo/.test(file)), ...server]
}

function filesIn(path) {
  if (!existsSync(join(ROOT, path))) return []
  if (statSync(join(ROOT, path)).isFile()) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
}

if (process.argv[1]?.endsWith('pack.mjs'))
  await main(async () => {
    const [folder] = process.argv.slice(2)
    if (!folder) throw new SetupError('usage: node bin/pack.mjs FOLDER')
    const bytes = await pack(resolve(folder))
    console.log(`${folder}: ${(bytes / 1e6).toFixed(0)} MB`)
  })
