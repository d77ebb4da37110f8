import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Module } from './basic'
import { listenForLogout } from './others'
import { type Plan, plans } from './plans'
import { newRun, type Subject } from './relying-party'
import { subjectFromDemo } from './subject'

/** `npm run conformance -- --issuer URL`: the suite against any provider that is up. */

const { values } = parseArgs({
  options: {
    issuer: { type: 'string', default: 'http://localhost:3000' },
    demo: { type: 'string', default: 'data/demo.json' },
    'backchannel-port': { type: 'string' },
    only: { type: 'string' },
  },
})

const demo = JSON.parse(readFileSync(values.demo, 'utf8'))
const subject = subjectFromDemo({ ...demo, issuer: values.issuer })
const port = values['backchannel-port']
const receiver = port ? await listenForLogout(Number(port)) : null
if (!receiver) {
  console.log(
    'back-channel plan left out: register http://localhost:PORT/ and give --backchannel-port PORT',
  )
}

let failed = 0
for (const plan of plans(receiver)) failed += await runPlan(plan, subject, values.only)
receiver?.close()
process.exitCode = failed > 0 ? 1 : 0

async function runPlan(plan: Plan, about: Subject, only: string | undefined): Promise<number> {
  const counts = { passed: 0, failed: 0, 'not applicable': 0 }
  console.log(`\n${plan.name}`)
  for (const [name, module] of Object.entries(plan.modules)) {
    if (only && !name.includes(only)) continue
    const outcome = await attempt(module, about, plan.formPost)
    counts[outcome.result] += 1
    console.log(`  ${outcome.result.padEnd(14)}  ${name}${outcome.why ? `: ${outcome.why}` : ''}`)
  }
  const { passed, failed: lost, 'not applicable': skipped } = counts
  console.log(`  ${passed} passed, ${lost} failed, ${skipped} not applicable`)
  return lost
}

type Outcome = { result: 'passed' | 'failed' | 'not applicable'; why?: string }

async function attempt(module: Module, about: Subject, formPost: boolean): Promise<Outcome> {
  try {
    return { result: (await module(await newRun(about, formPost))) ?? 'passed' }
  } catch (error) {
    return { result: 'failed', why: error instanceof Error ? error.message : String(error) }
  }
}
