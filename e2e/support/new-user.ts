import { hashPassword, newPassword } from '../../lib/accounts/passwords'
import { newId } from '../../lib/crypto/secrets'
import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'
import { createUser } from '../../lib/store/users'

/** Makes clerks of a running portal with sample data, one for each name; prints who they are. */

const [, , ...names] = process.argv

const house = await createOp(readConfig({ ...process.env, LOG_LEVEL: 'silent' }))
const users = []
for (const name of names) {
  const password = newPassword()
  const passwordHash = await hashPassword(password)
  const email = `${name.toLowerCase()}-${crypto.randomUUID().slice(0, 8)}@gatehouse.example`
  const user = { name, email, emailVerified: true, adminRole: null, passwordHash }
  const id = await house.changePolicy(async (tx) => {
    const userId = await createUser(tx, user, house.now())
    const stamps = { createdAt: house.now(), updatedAt: house.now() }
    const clerk = { id: newId('asg'), roleId: 'rol_demo_clerk', userId }
    await tx.assignment.create({ data: { ...clerk, ...stamps } })
    return userId
  })
  users.push({ id, email, password })
}
await house.close()
console.log(JSON.stringify(users))
