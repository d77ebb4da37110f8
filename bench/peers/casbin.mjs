// casbin's `enforce` alone, in process, no HTTP: 1 000 rules, every user with two roles. Prints the CPU of
// one call that allows and of one that denies.
import { newEnforcer, newModelFromString } from 'casbin'

const USERS = Number(process.argv[2])
const CALLS = Number(process.argv[3])
const RULES = 1_000

const model = newModelFromString(`
[request_definition]
r = sub, obj, act
[policy_definition]
p = sub, obj, act
[role_definition]
g = _, _
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.obj == p.obj && r.act == p.act && g(r.sub, p.sub)
`)
const enforcer = await newEnforcer(model)
const numbers = (count) => Array.from({ length: count }, (_, at) => at)
await enforcer.addPolicies(numbers(RULES).map((at) => [`role${at}`, `item${at}`, 'read']))
await enforcer.addGroupingPolicies(
  numbers(USERS * 2).map((at) => [`user${Math.floor(at / 2)}`, `role${(at * 13) % RULES}`]),
)

/** Each user is asked about what their first role gives. */
async function cost(itemOf, expected) {
  const started = process.cpuUsage()
  for (let at = 0; at < CALLS; at += 1) {
    const user = (at * 7_919) % USERS
    if ((await enforcer.enforce(`user${user}`, itemOf(user), 'read')) !== expected) {
      throw new Error('casbin decided otherwise')
    }
  }
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000 / CALLS
}

const allowed = (user) => `item${(user * 2 * 13) % RULES}`
await cost(allowed, true) // warm
console.log(
  JSON.stringify({ allow: await cost(allowed, true), deny: await cost(() => 'none', false) }),
)
