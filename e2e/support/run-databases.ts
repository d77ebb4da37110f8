import { once } from 'node:events'
import { makeDatabases } from './make-databases'

/**
 * A process of `npm test`: makes the databases that its parts share, prints where they are, and
 * lives until its standard input ends.
 */
const { stop, ...made } = await makeDatabases()
process.stdout.write(`${JSON.stringify(made)}\n`)
process.stdin.resume()
await once(process.stdin, 'end')
await stop()
