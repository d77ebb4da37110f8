// Beside each page, Next.js leaves a list of the files that it may load. Vercel copies them into its
// functions, and bin/pack.mjs into the image.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const LISTS = '.next/server'
/** Some files are read by names that only a running portal knows: Next.js lists the whole repository. */
const LOADED = /^(node_modules|\.next)\//
const NATIVE_OF_OTHERS = process.report.getReport().header.glibcVersionRuntime
  ? /-musl\//
  : /-gnu\//

/** Is this native code for another C library than the one of this machine? */
export const isOfOthers = (file) => NATIVE_OF_OTHERS.test(file)

/** Every file that a page, a route or the start may load, by its path in the repository. */
export function tracedByNext(root) {
  return traceLists(root).flatMap((list) =>
    readTrace(root, list).files.map((file) => inRoot(list, file)),
  )
}

/** Takes from each list what no built portal loads. */
export function trimTraces(root) {
  for (const list of traceLists(root)) {
    const trace = readTrace(root, list)
    const files = trace.files.filter((file) => isLoaded(inRoot(list, file)))
    writeFileSync(join(root, list), JSON.stringify({ ...trace, files }))
  }
}

const isLoaded = (file) => LOADED.test(file) && !isOfOthers(file)

const inRoot = (list, file) => relative('.', join(dirname(list), file))

const readTrace = (root, list) => JSON.parse(readFileSync(join(root, list), 'utf8'))

function traceLists(root) {
  if (!existsSync(join(root, LISTS))) return []
  return readdirSync(join(root, LISTS), { recursive: true })
    .filter((file) => file.endsWith('.nft.json'))
    .map((file) => join(LISTS, file))
}
