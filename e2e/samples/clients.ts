import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CLIENT_SETTINGS } from '../../lib/quick-start/client-settings'
import type { Portal } from '../support/portal'
import { CLIENTS, type Client, type Try } from './client-list'
import { walkClient } from './client-walks'
import { joinGroup } from './registered'
import { RUNTIMES, versionOf } from './runtimes'
import { openWorkshop, type Workshop } from './workshop'

/** Runs the clients of others: at first as they are, then with one setting after the other. */

type Outcome = { worked: boolean; told: string }
export type ClientAttempt = Outcome & { with: string | null }
export type ClientResult = {
  name: string
  does: string
  /** Null: it was not run. */
  version: string | null
  tried: ClientAttempt[]
  /** With an application that requires PKCE; `setting`: what the client is called there. */
  pkce?: Outcome & { setting: string }
}

const PROGRAMS = fileURLToPath(new URL('../../e2e/samples/clients/', import.meta.url))
const INSTALL_SECONDS = 900

export async function runClients(
  portal: Portal,
  isWanted: (name: string) => boolean,
): Promise<ClientResult[]> {
  const results: ClientResult[] = []
  await joinGroup(portal)
  for (const client of CLIENTS.filter(({ name }) => isWanted(name))) {
    const result = await tryClient(portal, client)
    results.push(result)
    if (!result.version) console.log(`  ${result.name} (${client.does}): not run`)
    for (const { with: how, worked, told } of shownOf(result)) {
      const outcome = worked ? 'worked' : `did not: ${told}`
      console.log(`  ${result.version} (${client.does}), ${how ?? 'as it is'}: ${outcome}`)
    }
  }
  return results
}

function shownOf({ tried, pkce }: ClientResult): ClientAttempt[] {
  return pkce ? [...tried, { ...pkce, with: 'PKCE required' }] : tried
}

async function tryClient(portal: Portal, client: Client): Promise<ClientResult> {
  const { name, does } = client
  const workshop = openWorkshop()
  try {
    if (!versionOf(client.on) || !(await isInstalled(client, workshop))) {
      return { name, does, version: null, tried: [] }
    }
    workshop.write(programsOf(client))
    const tried: ClientAttempt[] = []
    for (const one of client.tries) {
      if (tried.at(-1)?.worked) break // it needs no more
      tried.push({ with: one.with, ...(await attempt(portal, client, one, workshop)) })
    }
    const pkce = await tryPkce(portal, client, tried, workshop)
    return { name, does, version: packageVersion(client, workshop), tried, ...(pkce && { pkce }) }
  } finally {
    await workshop.close()
  }
}

async function isInstalled({ install }: Client, workshop: Workshop): Promise<boolean> {
  if (install === '') return true
  return workshop.run(install, INSTALL_SECONDS).then(
    () => true,
    (error: Error) => {
      console.log(error.message)
      return false
    },
  )
}

function programsOf({ files, words = {} }: Client) {
  return Object.entries(files).map(([from, name]) => {
    const text = readFileSync(`${PROGRAMS}${from}`, 'utf8')
    return { name, text: text.replaceAll(/@(\w+)@/g, (all, word) => words[word] ?? all) }
  })
}

/** Of the packages that were installed, the one that the row is about. */
function packageVersion(
  { name, package: called = name, on, install, words }: Client,
  { folder }: Workshop,
): string {
  if (words?.version) return `${name} ${words.version}`
  const all = RUNTIMES[on].packages(folder, install)
  const own = all.find((one) => one.toLowerCase().startsWith(`${called.toLowerCase()} `))
  return own ? `${name} ${own.slice(called.length + 1)}` : name
}

/** What says how the client uses PKCE is tried with an application that requires it. */
async function tryPkce(
  portal: Portal,
  client: Client,
  tried: readonly ClientAttempt[],
  workshop: Workshop,
): Promise<ClientResult['pkce']> {
  const setting = CLIENT_SETTINGS.find((one) => one.client === client.pkce)
  if (!setting || setting.pkce === false) return undefined
  const enough = client.tries[tried.length - 1]
  const last = tried.at(-1)
  if (!enough || !last) return undefined
  const { worked, told } = last
  // An application without a secret never gets in without PKCE.
  const isPublic = client.kind !== undefined && client.kind !== 'web'
  if (isPublic || !worked) return { setting: setting.client, worked, told }
  const env = setting.pkce === null ? {} : { PKCE: 'S256' }
  const strict: Try = {
    ...enough,
    env: { ...enough.env, ...env },
    application: { ...enough.application, pkce: 'required' },
  }
  return { setting: setting.client, ...(await attempt(portal, client, strict, workshop)) }
}

async function attempt(
  portal: Portal,
  client: Client,
  one: Try,
  workshop: Workshop,
): Promise<Outcome> {
  try {
    await walkClient(portal, client, one, workshop)
    return { worked: true, told: '' }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { worked: false, told: inShort(text) }
  }
}

/** The words of the protocol or of the client say why; a stack trace does not. */
const REASONS = [
  /^(invalid_request: .+)$/m,
  /(invalid_client: .+)$/m,
  /error_description="([^"]+)"/,
  /"detail":"([^"]+)"/,
  /^[\s|]*[\w.]*Error: (.+)$/m,
]

function inShort(text: string): string {
  const found = REASONS.map((reason) => reason.exec(text)?.[1]).find((one) => one !== undefined)
  return found?.trim() ?? text.trim().split('\n').at(-1)?.slice(0, 200) ?? ''
}
