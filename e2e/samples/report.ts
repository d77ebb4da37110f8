import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CLIENT_SETTINGS, type ClientSetting } from '../../lib/quick-start/client-settings'
import { API, everySample } from './catalogue'
import type { ClientResult } from './clients'
import type { Result } from './quick-starts'

/** What was run: kept as data, and as a page of docs. */

export type Results = { samples: Result[]; clients: ClientResult[] }

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const RESULTS = `${ROOT}e2e/samples/results.json`
export const PAGE = `${ROOT}docs/quick-starts.md`

export function readResults(): Results {
  return existsSync(RESULTS)
    ? JSON.parse(readFileSync(RESULTS, 'utf8'))
    : { samples: [], clients: [] }
}

/**
 * Those that were not run this time keep their last result, and so do those that this machine
 * cannot run, unless they have changed since.
 */
export function writeResults(latest: Results): void {
  const results = joined(readResults(), latest)
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(PAGE, pageOf(results))
}

export function joined(before: Results, { samples: tried, clients: asked }: Results): Results {
  const latest = {
    samples: tried.filter((now) => !before.samples.some((one) => isRunOf(one, now))),
    clients: asked.filter((now) => !before.clients.some((one) => isTryOf(one, now))),
  }
  const all = [...latest.samples, ...before.samples]
  const samples = everySample().flatMap(
    (sample) => all.find((one) => one.for === sample.for && one.id === sample.id) ?? [],
  )
  const isReplaced = (one: ClientResult) =>
    latest.clients.some(({ name, does }) => name === one.name && does === one.does)
  const clients = [...before.clients.filter((one) => !isReplaced(one)), ...latest.clients].sort(
    (a, b) => (rowKey(a) < rowKey(b) ? -1 : 1),
  )
  return { samples, clients }
}

/** The same sample, run where it could be. */
function isRunOf(before: Result, now: Result): boolean {
  const isSame = before.for === now.for && before.id === now.id && before.digest === now.digest
  return isSame && before.ran && !now.ran && now.failed === undefined
}

function isTryOf(before: ClientResult, now: ClientResult): boolean {
  const isSame = before.name === now.name && before.does === now.does
  return isSame && before.version !== null && now.version === null
}

function rowKey({ name, does, version }: ClientResult): string {
  return `${name} ${does} ${version}`
}

const KINDS: Readonly<Record<string, string>> = {
  web: 'web',
  spa: 'single-page',
  native: 'native',
  device: 'device',
  machine: 'machine',
  [API]: 'resource server',
}

export function pageOf({ samples, clients }: Results): string {
  return `# Quick starts

Every application has a quick start in the admin pages, and every API has one for resource servers: an empty folder, the commands and the files. \`npm run samples\` does what they say. It makes a portal with sample data, registers an application through the API, reads the sample from the page, installs and starts it in an empty folder, and signs Alice in with a real browser. A resource server is called without a token, with a forged one, with one that lacks the scope and with a good one.

\`npm run samples -- --only=web/python\` runs one of them, \`--clients\` only the second table. \`npm test\` runs those that need nothing to be installed. The command writes this page; a test fails if a sample has changed since it was run.

| application | sample | result | with |
| --- | --- | --- | --- |
${samples.map(sampleRow).join('\n')}

*Not run* means that the runtime or the product could not be had on the machine that runs the samples. Such a sample says so on its page.

## Clients that others wrote

Each was tried without special settings first, against an application as it is created: PKCE is required once the application has used it, access tokens are \`at+jwt\`. "(application)" and "(API)" are settings of the application or the API in the portal; anything else is a setting of the client.

| client | what it does | at the first try | then with |
| --- | --- | --- | --- |
${clients.map(clientRow).join('\n')}

## PKCE in a client

A web application may leave out [PKCE](integration.md#pkce) until it has used it once; every other application must use it. Where a client does not send it by itself, this is what to switch on. The page of an application says whether its last sign-in used PKCE and a nonce.

| client | PKCE |
| --- | --- |
${CLIENT_SETTINGS.map(settingRow).join('\n')}
`
}

function sampleRow({ for: kind, label, ran, told, failed }: Result): string {
  const result = failed ? '**failed**' : ran ? 'ran' : 'not run'
  return `| ${KINDS[kind]} | ${label} | ${result} | ${told} |`
}

function clientRow({ name, does, version, tried }: ClientResult): string {
  const [first, ...others] = tried
  if (!version || !first) return `| ${name} | ${does} | not run | |`
  const then = others.map(
    ({ with: how, worked, told }) => `${how}: ${worked ? 'works' : `does not (${inCell(told)})`}`,
  )
  const stock = first.worked ? 'works' : `refused: ${inCell(first.told)}`
  return `| ${version} | ${does} | ${stock} | ${then.join('<br>')} |`
}

function settingRow({ client, pkce }: ClientSetting): string {
  const cannot = 'it cannot: leave `learned`, or set `not_required`'
  return `| ${client} | ${pkce ? `\`${inCell(pkce)}\`` : pkce === null ? 'by itself' : cannot} |`
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
