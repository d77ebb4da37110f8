import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Portal } from '../support/portal'
import { freePort } from '../support/postgres'
import { API, digestOf, everySample, type Sample } from './catalogue'
import { type Kind, register } from './registered'
import { RUNTIMES, type RuntimeName, versionOf } from './runtimes'
import { adminBrowser, type SampleInstructions, showApi, showApplication } from './shown'
import { callWithTokens, walkCurl, walkDevice, walkNative, walkThrough } from './walks'
import { answers, openWorkshop, says, type Workshop } from './workshop'

/** Runs the quick starts as they are pasted: install, files, settings, run, sign in. */

export type Result = {
  for: string
  id: string
  label: string
  /** Of the text that was run. */
  digest: string
  ran: boolean
  /** What it ran on, with versions; or why it did not run. */
  told: string
  failed?: string
}

type Ran = { on: RuntimeName; proof?: RegExp; installed?: true }

/** By the ID of the sample; one that is not here has no runtime that a test machine may have. */
const RUN_ON: Readonly<Record<string, Ran>> = {
  next: { on: 'node' },
  express: { on: 'node' },
  hono: { on: 'node' },
  react: { on: 'node' },
  node: { on: 'node' },
  python: { on: 'python' },
  go: { on: 'go' },
  spring: { on: 'maven' },
  java: { on: 'java' },
  rust: { on: 'rust' },
  php: { on: 'php' },
  // Its packages come from the system's own package manager, which is the operator's to use.
  apache: { on: 'apache', proof: /You are signed in/, installed: true },
  curl: { on: 'curl' },
}

/** Why a sample with `tested: false` is not run, on a machine with nothing but package registries. */
const WHY_NOT: Readonly<Record<string, string>> = {
  dotnet: 'no .NET SDK',
  php: 'the registry of Composer cannot be reached',
  nginx: 'no oauth2-proxy',
  traefik: 'no Traefik and no oauth2-proxy',
  'oauth2-proxy': 'no oauth2-proxy',
  grafana: 'no Grafana',
  gitea: 'no Gitea',
  kubernetes: 'no cluster',
}

/** Without a network, or where a registry is away. */
class NotInstalled extends Error {}

const INSTALL_SECONDS = 600
/** Compilers and Maven do their work when the sample is started. */
const START_SECONDS = 600
const ORDERS = 'api_demo_orders'
const API_ADDRESS = 'http://localhost:3002/'

export async function runQuickStarts(
  portal: Portal,
  isWanted: (sample: Sample) => boolean,
): Promise<Result[]> {
  const results: Result[] = []
  for (const sample of everySample().filter(isWanted)) {
    const started = Date.now()
    const result = await attempt(portal, sample)
    results.push(result)
    const seconds = ((Date.now() - started) / 1000).toFixed(0)
    const outcome = result.failed ? 'FAILED' : result.ran ? 'ran' : 'not run'
    console.log(
      `  ${outcome.padEnd(8)} ${sample.for}/${sample.id} (${seconds} s): ${result.failed ?? result.told}`,
    )
  }
  return results
}

async function attempt(portal: Portal, sample: Sample): Promise<Result> {
  const { id, guide } = sample
  const about = { for: sample.for, id, label: guide.label, digest: digestOf(sample) }
  const how = RUN_ON[id]
  if (!guide.tested || !how) return { ...about, ran: false, told: WHY_NOT[id] ?? 'not tried' }
  const version = versionOf(how.on)
  if (!version) return { ...about, ran: false, told: `no ${RUNTIMES[how.on].name}` }
  const workshop = openWorkshop()
  try {
    const packages = await run(portal, sample, how, workshop)
    return { ...about, ran: true, told: [version, ...packages].join(', ') }
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error)
    if (error instanceof NotInstalled) {
      console.log(failed)
      return { ...about, ran: false, told: 'its packages could not be installed' }
    }
    return { ...about, ran: false, told: 'it failed', failed }
  } finally {
    await workshop.close()
  }
}

/** The packages that it ran with. */
async function run(portal: Portal, sample: Sample, how: Ran, workshop: Workshop) {
  const shown = await show(portal, sample)
  if (shown.install && !how.installed) await installed(workshop, shown.install)
  await walkAt(portal, sample, how, shown, workshop)
  return RUNTIMES[how.on].packages(workshop.folder, shown.install)
}

async function installed(workshop: Workshop, lines: string): Promise<void> {
  try {
    await workshop.run(lines, INSTALL_SECONDS)
  } catch (cause) {
    throw new NotInstalled(String(cause), { cause })
  }
}

/** With packages that are there already: `npm test` installs nothing for a sample. */
export async function runInstalled(portal: Portal, sample: Sample, nodeModules: string) {
  const how = RUN_ON[sample.id]
  if (!how) throw new Error(`${sample.id} is not run`)
  const workshop = openWorkshop()
  try {
    symlinkSync(nodeModules, join(workshop.folder, 'node_modules'))
    await walkAt(portal, sample, how, await show(portal, sample), workshop)
  } finally {
    await workshop.close()
  }
}

async function walkAt(
  portal: Portal,
  sample: Sample,
  how: Ran,
  shown: SampleInstructions,
  workshop: Workshop,
): Promise<void> {
  workshop.write(shown.files)
  const running = workshop.start(`${shown.settings}\n${shown.run}`)
  if (sample.for === API) {
    await answers(running, API_ADDRESS, START_SECONDS)
    await callWithTokens(portal, API_ADDRESS)
  } else if (sample.for === 'machine') {
    await says(running, /eyJ[\w-]+\.[\w-]+\.[\w-]+/, START_SECONDS)
  } else if (sample.for === 'device') {
    await walkDevice(portal, running, START_SECONDS)
  } else if (sample.id === 'curl') {
    await walkCurl(portal, running)
  } else if (sample.for === 'native') {
    await walkNative(portal, running, START_SECONDS)
  } else {
    const address = shown.open ?? ''
    await answers(running, address, START_SECONDS)
    await walkThrough(portal, address, how.proof)
  }
}

async function show(portal: Portal, sample: Sample): Promise<SampleInstructions> {
  const admin = await adminBrowser(portal)
  if (sample.for === API) return showApi(admin, ORDERS, sample.id)
  const kind = sample.for as Kind
  const app = await register(portal, kind, await addressesOf(kind))
  return showApplication(portal, admin, app, sample.id)
}

async function addressesOf(kind: Kind): Promise<{ redirectUris?: string[] }> {
  if (kind === 'machine' || kind === 'device') return {}
  if (kind === 'native') return { redirectUris: ['http://127.0.0.1/callback'] }
  return { redirectUris: [`http://localhost:${await freePort()}/callback`] }
}
