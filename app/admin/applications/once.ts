import type { CreatedApplication } from '@/lib/api/applications/applications'
import { currentMessages } from '@/lib/browser/locale'
import { op } from '@/lib/op'
import type { NewSecret, OnceWords } from './shown-once'

/** What the pages show once, in words and as a file. */

const ENV_FILE = 'gatehouse.env'

export async function onceWords(): Promise<OnceWords> {
  const { admin, common } = await currentMessages()
  const { shownOnce, download } = admin.form
  return { shownOnce, download, copy: common.copy, copied: common.copied }
}

export async function onceForSecret(
  title: string,
  { id, secret }: Pick<CreatedApplication, 'id' | 'secret'>,
  links: NewSecret['links'] = [],
): Promise<NewSecret> {
  const { credentials: words } = (await currentMessages()).admin.applications
  const known = [[words.clientId, id] as const]
  if (secret === undefined) return { title, values: known, env: null, links }
  const text = await envOf({ CLIENT_ID: id, CLIENT_SECRET: secret })
  const values = [...known, [words.secret, secret] as const]
  return { title, values, env: { name: ENV_FILE, text }, links }
}

export async function onceForKey(
  title: string,
  { accessKey, secretKey }: { accessKey: string; secretKey: string },
): Promise<NewSecret> {
  const { credentials: words } = (await currentMessages()).admin.applications
  const text = await envOf({ CLIENT_ID: accessKey, CLIENT_SECRET: secretKey })
  return {
    title,
    values: [
      [words.accessKey, accessKey],
      [words.secretKey, secretKey],
    ],
    env: { name: ENV_FILE, text },
    links: [],
  }
}

/** Ids and secrets are letters, digits, dashes and underlines: nothing to quote. */
async function envOf(values: Record<string, string>): Promise<string> {
  const { issuer } = await op()
  const lines = Object.entries({ ISSUER: issuer, ...values })
  return lines.map(([name, value]) => `${name}=${value}\n`).join('')
}
