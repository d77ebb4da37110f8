import { subjectId } from './people'
import { ConfigurationError } from './schema'
import { reconcile, segment, type Work } from './work'

/** Whose an API is, and who may introspect its tokens: after the people and applications it names. */

export async function applyApis(work: Work): Promise<void> {
  for (const { prefix, owners, introspectors } of work.wanted.apis) {
    const found = (await work.api.find(`/resources/${segment(prefix)}`))?.body
    if (!found) throw new ConfigurationError(`there is no API ${prefix}`)
    const ids = owners && (await Promise.all(owners.map((owner) => subjectId(work, owner))))
    const fields = {
      ...(ids && { owners: ids.map((id, at) => ({ type: owners?.[at]?.type, id })) }),
      ...(introspectors && { introspectors }),
    }
    const path = `/spaces/${found.space}/resources/${found.id}`
    const change = (changed: object) => work.api.send(`api ${prefix}`, 'PATCH', path, changed)
    const create = () => change(fields)
    await reconcile(work, { noun: 'api', name: prefix, fields }, { found, create, change })
  }
}
