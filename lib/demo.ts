import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword, newPassword } from './accounts/passwords'
import { newId, newSecret } from './crypto/secrets'
import type { Op } from './op'
import { DEMO, type Demo, replaceDemoRows } from './store/demo'

export type { Demo } from './store/demo'

/**
 * Sample data for a first look: an API with a conditional item, four applications, an access key,
 * an admin and two users with roles. Secrets are random; they are kept in demo.json and nowhere else.
 */

export class DemoRefused extends Error {}

/** Loads the sample data once; later starts only bring the file up to date with the issuer. */
export async function loadDemo(op: Op): Promise<Demo> {
  const file = join(op.config.dataDir, 'demo.json')
  const loaded = await op.demo.isLoaded()
  if (!loaded && (await op.demo.hasForeignData())) {
    throw new DemoRefused(
      'this database already has data of its own: start without --demo, or point DATABASE_URL or DATA_DIR at an empty place',
    )
  }
  const kept = loaded ? readKept(file) : null
  const stillTrue = kept !== null && (await op.demo.knows(kept))
  const demo = stillTrue ? kept : await replaceDemo(op, newDemo(op.issuer))
  const current = { ...demo, issuer: op.issuer }
  mkdirSync(op.config.dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`, { mode: 0o600 })
  return current
}

function readKept(file: string): Demo | null {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
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

/** Also when demo.json was lost or belongs to another database: nobody knows the old secrets. */
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
