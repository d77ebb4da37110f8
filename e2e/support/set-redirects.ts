import { createOp } from '../../lib/op'
import { readConfig } from '../../lib/settings/config'

/** Where the demo's web app of a running portal may be answered, instead of where it was. */

const [, , ...redirectUris] = process.argv

const op = await createOp(readConfig({ ...process.env, LOG_LEVEL: 'silent' }))
await op.changePolicy(async (tx) => {
  await tx.application.update({ where: { id: 'app_demo_web' }, data: { redirectUris } })
})
await op.close()
