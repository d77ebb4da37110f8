/**
 * The tests of one process open hundreds of databases, each with a client of Prisma that reads the
 * schema and plans the same queries again. A plan depends on nothing but the schema and the query,
 * and Prisma itself keeps it for later requests: here all clients of a process share them.
 */
const MAX_KEPT = 20_000

export function sharedCompiler(Compiler) {
  const known = new Map()
  return class {
    constructor(options) {
      const key = JSON.stringify(options)
      if (!known.has(key)) known.set(key, remembering(new Compiler(options)))
      // biome-ignore lint/correctness/noConstructorReturn: whoever makes one gets the shared one
      return known.get(key)
    }
  }
}

function remembering(compiler) {
  const plans = new Map()
  return {
    compile(query) {
      // Rows that are inserted together stand in their query.
      if (query.length > MAX_KEPT) return compiler.compile(query)
      if (!plans.has(query)) plans.set(query, compiler.compile(query))
      return plans.get(query)
    },
    compileBatch: (batch) => compiler.compileBatch(batch),
    free() {},
  }
}
