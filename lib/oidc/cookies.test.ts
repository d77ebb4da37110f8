import { expect, test } from 'vitest'
import { newDatedId } from '../crypto/secrets'
import { forgetOldInteractions } from './cookies'
import type { Provider } from './provider'

const opOf = (secure: boolean) => ({ cookies: { secure } }) as Provider // all that is asked of it
const sent = (cookie: string) => ({ headers: { get: () => cookie } })

async function idsInTurn(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) {
    ids.push(newDatedId('int'))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return ids
}

test.each([
  [true, '__Host-gatehouse.', '; Secure'],
  [false, 'gatehouse.', ''],
])(
  'Q13: the oldest go, in whatever order a browser sends them; secure: %s',
  async (secure, prefix, flag) => {
    const ids = await idsInTurn(6)
    const shuffled = [3, 0, 5, 2, 4, 1].map((index) => `${prefix}${ids[index]}=ghbr_x`)
    const cookie = ['a=b', ...shuffled, `${prefix}session=s`, `${prefix}int_`, 'junk'].join('; ')
    const cleared = (id?: string) =>
      `${prefix}${id}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0${flag}`
    const [first, second] = ids
    expect(forgetOldInteractions(opOf(secure), sent(cookie), 4)).toEqual([
      cleared(second),
      cleared(first),
    ])
    expect(forgetOldInteractions(opOf(secure), sent(cookie), 6)).toEqual([])
    expect(forgetOldInteractions(opOf(secure), sent(''), 4)).toEqual([])
  },
)
