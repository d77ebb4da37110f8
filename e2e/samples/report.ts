import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { CLIENT_SETTINGS, type ClientName } from '../../lib/quick-start/client-settings'
import { API, everySample } from './catalogue'
import { CLIENTS } from './client-list'
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
  const isAmong = (list: readonly Named[], one: Named) =>
    list.some(({ name, does }) => name === one.name && does === one.does)
  const kept = before.clients.filter(
    (one) => isAmong(CLIENTS, one) && !isAmong(latest.clients, one),
  )
  const clients = [...kept, ...latest.clients].sort((a, b) => (rowKey(a) < rowKey(b) ? -1 : 1))
  return { samples, clients }
}

type Named = Pick<ClientResult, 'name' | 'does'>

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

Each was tried without special settings first, against an application as it is created: PKCE is required once the application has used it, access tokens are \`at+jwt\`. A client works if it shows who signed in: the name and the email address, and the groups where it asks for them. "(application)", "(API)" and "(portal)" are settings in the portal; anything else is a setting of the client.

| client | what it does | at the first try | then with |
| --- | --- | --- | --- |
${clients.map(clientRow).join('\n')}

## PKCE in a client

A web application may leave out [PKCE](integration.md#pkce) until it has used it once; every other application must use it. Where a client does not send it by itself, this is what to switch on. The page of an application says whether its last sign-in used PKCE and a nonce. The last column says what signed a user in with it, at an application that requires PKCE.

| client | PKCE | tried |
| --- | --- | --- |
${CLIENT_SETTINGS.map((one) => settingRow(one, { samples, clients })).join('\n')}
`
}

function sampleRow({ for: kind, label, ran, told, failed }: Result): string {
  const result = failed ? '**failed**' : ran ? 'ran' : 'not run'
  return `| ${KINDS[kind]} | ${label} | ${result} | ${told} |`
}

function clientRow({ name, does, version, tried }: ClientResult): string {
  const [first, ...others] = tried
  if (!version || !first) return `| ${name} | ${does} | not run |  |`
  const then = others.map(
    ({ with: how, worked, told }) => `${how}: ${worked ? 'works' : `does not (${inCell(told)})`}`,
  )
  const stock = first.worked ? 'works' : `refused: ${inCell(first.told)}`
  return `| ${version} | ${does} | ${stock} | ${then.join('<br>')} |`
}

/** Clients that are in a quick start, which switches PKCE on. */
const QUICK_STARTS: Readonly<Partial<Record<ClientName, string>>> = {
  'next-auth 4': 'web/next',
  'Rust openidconnect': 'native/rust',
}

/** It was run, and with none of its settings it gets in; or not with PKCE, as it should. */
export function isLockedOut({ version, tried, pkce }: ClientResult): boolean {
  return version !== null && !(tried.at(-1)?.worked && pkce?.worked !== false)
}

function settingRow(one: (typeof CLIENT_SETTINGS)[number], results: Results): string {
  const { client, pkce } = one
  const cannot = 'it cannot: leave `learned`, or set `not_required`'
  const words = pkce ? `\`${inCell(pkce)}\`` : pkce === null ? 'by itself' : cannot
  return `| ${client} | ${words} | ${pkce === false ? '' : pkceTrial(client, results)} |`
}

/** What was tried, and did not fail; a test asks for each of them. */
export function pkceTrial(client: ClientName, { samples, clients }: Results): string {
  const sample = samples.find((one) => `${one.for}/${one.id}` === QUICK_STARTS[client])
  if (sample) return sample.ran ? `quick start ${sample.label}` : 'not run'
  const tried = clients.filter(({ pkce }) => pkce?.setting === client)
  if (tried.length === 0) return 'not run'
  return tried.map(({ version, pkce }) => `${version}${pkce?.worked ? '' : ': fails'}`).join(', ')
}

function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;')
}
