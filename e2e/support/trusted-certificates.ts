import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CERTIFICATE } from './document-host'
import { temporaryFolder } from './folder'

/**
 * Portals in the process of a test trust the site of document-host.ts. Node reads the list when a
 * process starts, so it is set before the workers are.
 */
export default function setup(): void {
  const known = process.env.NODE_EXTRA_CA_CERTS
  const file = join(temporaryFolder(), 'certificates.pem')
  writeFileSync(file, `${known ? readFileSync(known, 'utf8') : ''}\n${CERTIFICATE}`)
  process.env.NODE_EXTRA_CA_CERTS = file
}
