import { type Ask, get } from './load'
import { askFor, type PageName } from './page-rows'
import type { Contender } from './works'

/** What a browser fetches for a page: its HTML and the scripts that it names, in bytes. */
export type Weight = { html: number; scripts: number; files: number }

const SCRIPT = /<script[^>]* src="([^"]+)"/g

export async function weigh(of: Contender, name: PageName): Promise<Weight> {
  const ask = await askFor(of, name)
  const [html = ''] = await bodies(of, [ask])
  const paths = new Set([...html.matchAll(SCRIPT)].map(([, path = '']) => path))
  const { host } = ask.headers
  const asks = [...paths].map((path) => get(path, host === undefined ? {} : { host }))
  const scripts = (await bodies(of, asks)).map((text) => Buffer.byteLength(text))
  const all = scripts.reduce((sum, size) => sum + size, 0)
  return { html: Buffer.byteLength(html), scripts: all, files: paths.size }
}

async function bodies({ line }: Contender, asks: Ask[]): Promise<string[]> {
  return (await line.send(asks)).answers.map(({ body }) => body)
}
