import { execFileSync } from 'node:child_process'

export type Casbin = { users: number; allow: number; deny: number }

/** In a process of its own, asked nothing over HTTP: the call alone. */
export function measureCasbin(users: number, calls: number): Casbin {
  const args = ['bench/peers/casbin.mjs', String(users), String(calls)]
  return { users, ...JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) }
}
