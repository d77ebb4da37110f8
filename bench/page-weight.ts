import { type Ask, get, type Line } from './load'

/** What a browser fetches: HTML, and the scripts that it names, in bytes. */
export type Weight = { requests: number; html: number; scripts: number; files: number }

const SCRIPT = /<script[^>]* src="([^"]+)"[^>]*>/g
/** For browsers that know no modules; no other fetches it. */
const FOR_OLD_BROWSERS = / nomodule\b/i

export function scriptsIn(html: string): Set<string> {
  const fetched = [...html.matchAll(SCRIPT)].filter(([tag]) => !FOR_OLD_BROWSERS.test(tag))
  return new Set(fetched.map(([, path = '']) => path))
}

export async function weighPage(line: Line, ask: Ask): Promise<Weight> {
  const [html = ''] = await bodies(line, [ask])
  const scripts = await weighScripts(line, scriptsIn(html), ask)
  return { requests: 1, html: Buffer.byteLength(html), ...scripts }
}

/** `page`: what names them. */
export async function weighScripts(line: Line, paths: ReadonlySet<string>, page: Ask) {
  const { host } = page.headers
  const asks = [...paths].map((path) => get(path, host === undefined ? {} : { host }))
  const sizes = (await bodies(line, asks)).map((text) => Buffer.byteLength(text))
  return { scripts: sizes.reduce((sum, size) => sum + size, 0), files: paths.size }
}

async function bodies(line: Line, asks: Ask[]): Promise<string[]> {
  return (await line.send(asks)).answers.map(({ body }) => body)
}
