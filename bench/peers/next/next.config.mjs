import { join } from 'node:path'

/** The packages are those of the project and of the bench, further up. */
const root = join(import.meta.dirname, '../../..')

export default { turbopack: { root }, outputFileTracingRoot: root, pageExtensions: ['mjs'] }
