import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hashPassword, newPassword } from '../accounts/passwords'
import { misplacedDemo } from '../api/records/check-up'
import type { Op } from '../context/op'
import { newId, newSecret } from '../crypto/secrets'
import { type Config, isPublicPlace } from '../settings/config'
import { DEMO, type Demo, replaceDemoRows } from '../store/operations/demo'
import { loadPast } from './demo/activity'
import { type DemoKind, DemoRefused } from './demo/kind'
import { openDataFolder, writePrivateFile } from './private-files'

export type { Demo } from '../store/operations/demo'

/**
 * Sample data for a first look: an API with a conditional permission, four applications, an access
 * key, an admin and two users with roles. Secrets are random and stored only in demo.json.
 */

type Place = Pick<Config, 'origin' | 'production'>

/**
 * The names of its accounts and applications are public, and its machine application may do
 * everything.
 */
export function refusePublicDemo(place: Place): void {
  if (!isPublicPlace(place)) return
  throw new DemoRefused(
    `--demo is only for this machine, but ISSUER is ${place.origin}: start without --demo, or unset ISSUER, GATEHOUSE_MODE and NODE_ENV`,
  )
}

/** A warning for the operator at the start; null if no sample data is left. */
export async function demoLeftLine(op: Op): Promise<string | null> {
  const left = await misplacedDemo(op)
  if (left.length === 0) return null
  return `Sample data from --demo is still in this database: ${left.join(', ')}. Create your own owner, then delete or disable them.`
}

/** Loads the sample data once; later starts only update the file to the current issuer. */
export async function loadDemo(op: Op, kind: DemoKind = 'quiet'): Promise<Demo> {
  refusePublicDemo(op.config)
  const file = join(op.config.dataDir, 'demo.json')
  const loaded = await op.demo.isLoaded()
  if (!loaded && (await op.demo.hasForeignData())) {
    throw new DemoRefused(
      'this database already has data of its own: start without --demo, or set DATABASE_URL or DATA_DIR to an empty place',
    )
  }
  const kept = loaded ? readKept(file) : null
  const stillTrue = kept !== null && (await op.demo.knows(kept))
  const demo = stillTrue ? kept : await makeDemo(op, !loaded && kind === 'full')
  const current = { ...demo, issuer: op.issuer }
  openDataFolder(op.config)
  writePrivateFile(file, `${JSON.stringify(current, null, 2)}\n`)
  return current
}

function readKept(file: string): Demo | null {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
}

/** Activity belongs to the first time only: the audit log has no place for it later. */
function makeDemo(op: Op, withActivity: boolean): Promise<Demo> {
  const make = (here: Op) => replaceDemo(here, newDemo(here.issuer))
  return withActivity ? loadPast(op, make) : make(op)
}

function newDemo(issuer: string): Demo {
  const login = (name: string) => ({ email: `${name}@gatehouse.example`, password: newPassword() })
  return {
    issuer,
    admin: login('admin'),
    users: [login('alice'), login('bob')],
    web: {
      client_id: DEMO.ids.web,
      client_secret: newSecret('ghcs'),
      redirect_uris: DEMO.webRedirects,
      post_logout_redirect_uris: DEMO.webPostLogout,
    },
    spa: { client_id: DEMO.ids.spa, redirect_uris: DEMO.spaRedirects },
    machine: {
      client_id: DEMO.ids.machine,
      client_secret: newSecret('ghcs'),
      access_key: newId('ak'),
      secret_key: newSecret('ghsk'),
      granted: DEMO.granted,
      not_granted: DEMO.notGranted,
    },
  }
}

/** Also if demo.json was lost or belongs to another database: the old secrets are unknown. */
async function replaceDemo(op: Op, demo: Demo): Promise<Demo> {
  const logins = [demo.admin, ...demo.users]
  const hashes = await Promise.all(logins.map(({ password }) => hashPassword(password)))
  await op.changePolicy(async (tx, audit) => {
    await replaceDemoRows(op, tx, demo, hashes)
    audit({
      event: 'demo.loaded',
      result: 'success',
      actorKind: 'system',
      actorId: null,
      detail: {},
    })
  })
  return demo
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
