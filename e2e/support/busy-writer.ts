import { openDatabase } from '../../lib/store/database/database'
import { bumpPolicyVersion } from '../../lib/store/policy/policy-version'

/** One of several processes that write to the same file; prints what was acknowledged. */

const [, , url = '', name = '', times = '0'] = process.argv
const db = await openDatabase(url)
const acknowledged: string[] = []
const failed: string[] = []

for (let i = 0; i < Number(times); i += 1) {
  const key = `${name}-${i}`
  try {
    await write(key, i)
    acknowledged.push(key)
  } catch (error) {
    failed.push(`${key}: ${error}`)
  }
}

/** Plain writes and transactions in turn, as the portal mixes them. */
async function write(key: string, i: number): Promise<void> {
  const data = { key, value: i, updatedAt: new Date() }
  if (i % 2 === 0) {
    await db.setting.create({ data })
    return
  }
  await db.$transaction(async (tx) => {
    await bumpPolicyVersion(tx)
    await tx.setting.create({ data })
  })
}

await db.$disconnect()
console.log(JSON.stringify({ acknowledged, failed }))
