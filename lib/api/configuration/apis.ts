import { getResourceById } from '../permissions/resource-overview'
import { changeResource } from '../permissions/resources'
import { differences } from './differences'
import { subjectId } from './people'
import { type Configuration, ConfigurationError } from './schema'
import type { ApplyContext } from './work'

/**
 * The API owners and introspectors of APIs. Applied after the users, groups and applications that
 * they name.
 */

export async function applyApis(work: ApplyContext): Promise<void> {
  for (const api of work.wanted.apis) {
    const { prefix } = api
    const found = await work.api.find(getResourceById, { params: { id: prefix } })
    if (!found) throw new ConfigurationError(`the API ${prefix} does not exist`)
    const { changed } = differences(found, await fieldsOf(work, api))
    const members = Object.keys(changed)
    if (members.length === 0) continue
    work.say(`~ api ${prefix}: ${members.join(', ')}`)
    const params = { space: found.space, id: found.id }
    await work.api.send(`api ${prefix}`, changeResource, { params, body: changed })
  }
}

type Api = Configuration['apis'][number]

async function fieldsOf(work: ApplyContext, { owners, introspectors }: Api) {
  const known = owners?.map(async (owner) => ({ ...owner, id: await subjectId(work, owner) }))
  return {
    ...(known && { owners: await Promise.all(known) }),
    ...(introspectors && { introspectors }),
  }
}
