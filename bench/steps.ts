import { median } from './measure'
import type { Contender, ShownRow } from './works'

/** What each request of a sign-in costs the server, one at a time: the median of a few sign-ins. */

export type Step = { what: string; cpuMs: number }

const TIMES = 15

export async function measureSteps(row: ShownRow, of: Contender): Promise<Step[]> {
  const work = row.work(of)
  const visit = work?.visit
  if (!work || !visit) return []
  const steps: { what: string; costs: number[] }[] = []
  for (let time = 0; time < TIMES; time += 1) {
    let at = 0
    await of.line.send(await work.prepare(1), (send, first) =>
      visit(async (ask) => {
        const before = await of.usage()
        const answer = await send(ask)
        const cost = (await of.usage()).cpuMs - before.cpuMs
        const what = stepName(ask.method, ask.path)
        steps[at] ??= { what, costs: [] }
        steps[at]?.costs.push(cost)
        at += 1
        return answer
      }, first),
    )
  }
  return steps.map(({ what, costs }) => ({ what, cpuMs: median(costs) }))
}

/** Without what differs from one sign-in to the next. */
export function stepName(method: string, path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const place = pathname.replace(/\/int_\w+$/, '/...')
  return `${method} ${place}${searchParams.has('identifier') ? ', the password step' : ''}`
}
