import { type Node, nodesIn } from './meter'
import type { Context } from './policy'

/**
 * The members of the variables of a condition. The lists are closed, so a condition that reads
 * another member can never be met, and is a mistake. `user` is open: an operator gives users
 * whatever attributes they want.
 */

type Closed = Exclude<keyof Context, 'user' | 'budget'>

/** `Record`, so that a member that is added to the context must be added here. */
const MEMBERS: { readonly [Variable in Closed]: Readonly<Record<keyof Context[Variable], true>> } =
  {
    request: {
      time: true,
      ip: true,
      user_agent: true,
      grant_type: true,
      exchange: true,
      context: true,
    },
    client: { id: true, application_id: true, access_key: true },
    resource: { audience: true, scope: true, type: true, id: true, properties: true },
    auth: { acr: true, amr: true, age: true },
    subject: { type: true, id: true, properties: true },
    action: { name: true, properties: true },
  }

/** Where a variable holds what the caller of a check sends: any name. */
const OPEN_MEMBERS = ['context', 'properties']

type UnknownMember = {
  node: Node
  message: string
  fault: { code: 'member'; name: string; instead: string }
}

/** The first member that cannot exist, and what may be meant instead; null if there is none. */
export function unknownMember(
  node: Node,
  own: ReadonlySet<string> = new Set(),
): UnknownMember | null {
  const read = memberIn(node)
  if (read && isClosed(read.variable) && !own.has(read.variable)) {
    const { variable, member } = read
    if (!Object.hasOwn(MEMBERS[variable], member)) {
      const name = `${variable}.${member}`
      const instead = suggestion(variable, member)
      const message = `${name} does not exist: use ${instead}`
      return { node, message, fault: { code: 'member', name, instead } }
    }
  }
  const inner = withLoopVariable(node, own)
  for (const child of nodesIn(node.args)) {
    const found = unknownMember(child, inner)
    if (found) return found
  }
  return null
}

/** The members of a variable that a condition reads by name. */
export function membersRead(node: Node, variable: string): Set<string> {
  const read = memberIn(node)
  const here = read?.variable === variable ? [read.member] : []
  return new Set([...here, ...nodesIn(node.args).flatMap((one) => [...membersRead(one, variable)])])
}

/** Whether a condition reads a variable other than by the names of members: all of it counts. */
export function readsWhole(node: Node, variable: string): boolean {
  if (node.op === 'id') return String(node.args) === variable
  if (memberIn(node)?.variable === variable) return false
  return nodesIn(node.args).some((one) => readsWhole(one, variable))
}

/** The first variable besides `user` and `request.time` that a condition reads; null if none. */
export function otherThanUser(node: Node, own: ReadonlySet<string> = new Set()): string | null {
  const read = memberIn(node)
  if (read?.variable === 'request' && read.member === 'time') return null
  if (node.op === 'id') {
    const variable = String(node.args)
    return isClosed(variable) && !own.has(variable) ? variable : null
  }
  const inner = withLoopVariable(node, own)
  for (const child of nodesIn(node.args)) {
    const found = otherThanUser(child, inner)
    if (found) return found
  }
  return null
}

/** `request.ip` or `request["ip"]`. */
function memberIn({ op, args }: Node): { variable: string; member: string } | null {
  if ((op !== '.' && op !== '[]') || !Array.isArray(args)) return null
  const [object, key] = args as [Node, unknown]
  const member = op === '.' ? key : literalIn(key)
  if (object.op !== 'id' || typeof member !== 'string') return null
  return { variable: String(object.args), member }
}

function literalIn(key: unknown): unknown {
  const [node] = nodesIn(key)
  return node?.op === 'value' ? node.args : null
}

/** A macro such as `exists(one, ...)` names its elements, also like a variable of ours. */
function withLoopVariable({ op, args }: Node, own: ReadonlySet<string>): ReadonlySet<string> {
  if (op !== 'rcall' || !Array.isArray(args)) return own
  const [first] = nodesIn(args[2])
  return first?.op === 'id' ? new Set([...own, String(first.args)]) : own
}

function isClosed(variable: string): variable is Closed {
  return Object.hasOwn(MEMBERS, variable)
}

function suggestion(variable: Closed, member: string): string {
  const names = Object.keys(MEMBERS[variable])
  const near = names.find((name) => isNear(name, member))
  if (near) return `${variable}.${near}`
  const elsewhere = Object.keys(MEMBERS).find(
    (other) => isClosed(other) && Object.hasOwn(MEMBERS[other], member),
  )
  if (elsewhere) return `${elsewhere}.${member}`
  const open = names.find((name) => OPEN_MEMBERS.includes(name))
  const known = names.map((name) => `${variable}.${name}`).join(', ')
  return open ? `${variable}.${open}.${member}, ${known}` : known
}

/** The same letters in another style, or with one or two of them wrong. */
function isNear(name: string, typed: string): boolean {
  const [a, b] = [name, typed].map((text) => text.replaceAll(/[_-]/g, '').toLowerCase())
  if (a === undefined || b === undefined) return false
  return a === b || distance(a, b) <= Math.min(2, Math.floor(a.length / 3))
}

/** How many letters must be added, removed or replaced (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
