import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileDocument } from '../../lib/docs/compile'
import type { Block } from '../../lib/docs/document'
import { fillIn } from '../../lib/docs/fill-in'
import { DOCUMENTS, fileOf } from '../../lib/docs/list'
import type { Portal } from '../support/portal'
import { openWorkshop } from './workshop'

/**
 * Runs the commands of a guide from the first to the last, in one shell, as a reader would paste
 * them. A block `sh` is run. A block `json` after it is what the last line must have said: it may
 * say less, and `...` stands for anything.
 */

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MAX_SECONDS = 60
const MARK = '@@@ end of block'

export const GUIDES = DOCUMENTS.filter(({ group }) => group === 'howTo')

type Step = { commands: string; answer: string | null }

export function stepsIn(markdown: string, file: string): Step[] {
  const { blocks } = compileDocument(markdown, file, () => '')
  const steps: Step[] = []
  for (const block of blocks.filter(isCode)) {
    if (block.language === 'sh') steps.push({ commands: block.code, answer: null })
    const last = steps.at(-1)
    if (block.language === 'json' && last) last.answer = block.code
  }
  return steps
}

function isCode(block: Block): block is Extract<Block, { kind: 'code' }> {
  return block.kind === 'code'
}

/** Throws with what the guide says and what was answered. */
export async function runGuide(portal: Portal, listed: (typeof GUIDES)[number]): Promise<void> {
  const file = fileOf(listed)
  const { client_id, client_secret } = portal.demo().machine
  const fill = (text: string) =>
    fillIn(text, { origin: portal.origin, clientId: client_id, userId: null }).replaceAll(
      'YOUR_CLIENT_SECRET',
      client_secret,
    )
  const steps = stepsIn(readFileSync(join(ROOT, file), 'utf8'), file)
  const outputs = await outputsOf(steps.map(({ commands }) => fill(commands)))
  steps.forEach(({ commands, answer }, at) => {
    if (answer === null) return
    const said = JSON.parse(outputs[at]?.trim().split('\n').at(-1) ?? '')
    const missing = differences(JSON.parse(fill(answer)), said)
    if (missing.length > 0)
      throw new Error(
        `${file}: ${missing.join('; ')}\nafter ${commands}\nit said ${JSON.stringify(said)}`,
      )
  })
}

/** In an empty folder, beside which the examples of the project lie. */
async function outputsOf(blocks: readonly string[]): Promise<string[]> {
  const workshop = openWorkshop()
  const lines = blocks.flatMap((block) => [block, `printf '\\n%s\\n' '${MARK}'`])
  try {
    const link = `ln -s ${ROOT}examples ${ROOT}node_modules ${ROOT}package.json .`
    const script = ['set -eu', link, ...lines].join('\n')
    const output = await workshop.run(script, MAX_SECONDS)
    return output.split(MARK)
  } finally {
    await workshop.close()
  }
}

/** What is expected and was not said, by its place. */
export function differences(expected: unknown, said: unknown, place = 'answer'): string[] {
  if (typeof expected === 'string' && expected.endsWith('...'))
    return typeof said === 'string' && said.startsWith(expected.slice(0, -3)) ? [] : [place]
  if (typeof expected !== 'object' || expected === null) return expected === said ? [] : [place]
  if (typeof said !== 'object' || said === null) return [place]
  if (Array.isArray(expected) && (!Array.isArray(said) || said.length !== expected.length))
    return [`${place} has not ${expected.length} entries`]
  return Object.entries(expected).flatMap(([name, value]) =>
    differences(value, (said as Record<string, unknown>)[name], `${place}.${name}`),
  )
}
