import { relative } from 'node:path'
import type { Demo } from '../operations/demo'

/** What the operator reads while the portal starts. */

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

export async function sayStep(name: string, work: () => Promise<string>): Promise<void> {
  const started = performance.now()
  const outcome = await work()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  say(`  ${name} ... ${outcome} (${seconds} s)`)
}

export function demoLines({ issuer, admin, machine }: Demo, dataDir: string): string {
  const scope = [machine.granted[0], machine.not_granted[0]].join(' ')
  const origin = new URL(issuer).origin
  const ask = (id: string, secret: string) =>
    `  curl -s ${origin}/oidc/token -d grant_type=client_credentials -d client_id=${id} -d client_secret=${secret} -d 'scope=${scope}'`
  return [
    `Sample data is loaded; every password and secret is in ${relative('', dataDir)}/demo.json`,
    `Sign in at ${origin}/login as ${admin.email}`,
    '',
    'A token with the application’s ID and secret:',
    ask(machine.client_id, machine.client_secret),
    '',
    'The same with its access key and secret key:',
    ask(machine.access_key, machine.secret_key),
    '',
  ].join('\n')
}
