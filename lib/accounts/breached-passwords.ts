import { createHash } from 'node:crypto'
import { guardedRequest } from '../base/guarded-request'
import type { Op } from '../context/op'

/**
 * Was the password found in a breach? Asked of a service with the range API of Have I Been Pwned:
 * it gets the first five characters of the SHA-1 hash, which about a thousand known passwords share,
 * and never learns which of them was meant. Off unless an admin turns it on. If the service does not
 * answer, the password is accepted: the list that comes with the portal was asked already.
 */

const PREFIX_LENGTH = 5
const OK = 200

type Asking = Pick<Op, 'settings' | 'config' | 'log'>

export async function isBreached(op: Asking, password: string): Promise<boolean> {
  if (!(await op.settings.current()).security.breachedPasswords) return false
  const hash = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase()
  try {
    return isListed(await readRange(op, hash.slice(0, PREFIX_LENGTH)), hash.slice(PREFIX_LENGTH))
  } catch (err) {
    op.log.warn({ err }, 'the service for breached passwords did not answer; password not checked')
    return false
  }
}

async function readRange({ config }: Asking, prefix: string): Promise<string> {
  // With padding, the length of the answer tells an observer nothing.
  const headers = { 'Add-Padding': 'true', 'User-Agent': 'Gatehouse', Accept: 'text/plain' }
  const uri = new URL(`range/${prefix}`, config.breachedPasswordsUrl).href
  const asked = { method: 'GET', headers } as const
  const { status, body } = await guardedRequest(uri, asked, config.outboundHosts)
  if (status !== OK) throw new Error(`status ${status}`)
  return body
}

/** Lines of `suffix:count`; padding has the count 0. */
export function isListed(range: string, suffix: string): boolean {
  return range.split(/\r?\n/).some((line) => {
    const [listed, count] = line.trim().toUpperCase().split(':')
    return listed === suffix && Number(count) > 0
  })
}
