import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Module } from './basic'
import { type LogoutReceiver, listenForLogout } from './others'
import { type Plan, plans } from './plans'
import { newRun, type Subject } from './relying-party'
import { startServerless } from './serverless'
import { subjectFromDemo } from './subject'

/**
 * `npm run conformance -- --issuer URL`: the suite against any provider that is up;
 * `-- --host next`: against our own, without server.ts, which it starts by itself.
 */

const { values } = parseArgs({
  options: {
    issuer: { type: 'string', default: 'http://localhost:3000' },
    demo: { type: 'string', default: 'data/demo.json' },
    'backchannel-port': { type: 'string' },
    host: { type: 'string' },
    only: { type: 'string' },
  },
})

const { subject, receiver, stop } = await subjectOfRun()
let failed = 0
for (const plan of plans(receiver)) failed += await runPlan(plan, subject, values.only)
await stop()
// Whatever still listens must not keep the command from ending.
process.exit(failed > 0 ? 1 : 0)

type Tested = { subject: Subject; receiver: LogoutReceiver | null; stop(): Promise<void> }

async function subjectOfRun(): Promise<Tested> {
  if (values.host === 'next') return startServerless()
  if (values.host !== undefined) throw new Error('--host next, or --issuer URL')
  const demo = JSON.parse(readFileSync(values.demo, 'utf8'))
  const port = values['backchannel-port']
  const receiver = port ? await listenForLogout(Number(port)) : null
  if (!receiver) {
    console.log(
      'back-channel plan and clients with a jwks_uri left out: register http://localhost:PORT/, let the portal call it (OUTBOUND_HOSTS and REGISTRATION_OUTBOUND_HOSTS) and give --backchannel-port PORT',
    )
  }
  const subject = subjectFromDemo({ ...demo, issuer: values.issuer })
  return { subject, receiver, stop: async () => receiver?.close() }
}

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
    const left = await module(await newRun(about, formPost))
    if (left === undefined) return { result: 'passed' }
    const [, why] = left.split(': ', 2)
    return { result: 'not applicable', ...(why !== undefined && { why }) }
  } catch (error) {
    return { result: 'failed', why: error instanceof Error ? error.message : String(error) }
  }
}
