import { grantSchema } from '../../api/grants'
import { findKeyHash } from '../../store/access-keys'
import { findLiveSecrets } from '../../store/application-secrets'
import { differences } from './differences'
import type { Thing } from './operator'
import { requireUserId } from './people'
import { type Configuration, ConfigurationError } from './schema'
import { reconcile, remove, segment, type Work } from './work'

/** Applications by the client id that the document chose, with what they hold and prove themselves by. */

type Application = Configuration['applications'][number]

export async function applyApplications(work: Work): Promise<() => Promise<void>> {
  const { api, wanted } = work
  const spaces = new Map((await api.list('/spaces')).map(({ id, key }) => [key, id]))
  for (const application of wanted.applications) {
    await applyFields(work, application, spaces)
    await applyGrants(work, application)
    await applySecrets(work, application)
    await applyKeys(work, application)
  }
  return async () => {
    if (!work.prunes('applications')) return
    const named = new Set(wanted.applications.map(({ id }) => id))
    for (const { id } of await api.list('/applications')) {
      if (!named.has(String(id)))
        await remove(work, 'application', String(id), `/applications/${id}`)
    }
  }
}

async function applyFields(
  work: Work,
  application: Application,
  spaces: Map<unknown, unknown>,
): Promise<void> {
  const { id, kind, grants: _grants, secrets: _secrets, keys: _keys, ...rest } = application
  const path = `/applications/${segment(id)}`
  const found = (await work.api.find(path))?.body ?? null
  if (found && found.kind !== kind) {
    throw new ConfigurationError(
      `application ${id}: it is ${found.kind}, and cannot become ${kind}`,
    )
  }
  const { space, owner } = rest
  const fields = {
    ...rest,
    ...(typeof space === 'string' && { space: spaces.get(space) ?? space }),
    ...(typeof owner === 'string' && { owner: await requireUserId(work, owner) }),
  }
  const what = `application ${id}`
  await reconcile(
    work,
    { noun: 'application', name: id, fields },
    {
      found,
      create: () =>
        work.api.send(what, 'POST', '/applications', { id, kind, withSecret: false, ...fields }),
      change: (changed) => work.api.send(what, 'PATCH', path, changed),
    },
  )
}

async function applyGrants({ api, say }: Work, { id, grants }: Application): Promise<void> {
  if (!grants) return
  const path = `/applications/${segment(id)}/grants`
  const wanted = grants.map((one) =>
    grantSchema.parse(typeof one === 'string' ? { pattern: one } : one),
  )
  const there = ((await api.find(path))?.body.grants ?? []) as Thing[]
  const plain = there.map(({ id: _id, ...grant }) => grant)
  const { said } = differences({ grants: plain }, { grants: wanted })
  if (said.length === 0) return
  say(`~ application ${id}: ${said.join(', ')}`)
  await api.send(`application ${id}`, 'PUT', path, { grants: wanted })
}

/** A secret that is there already is known by its hash; another one of the same name ends. */
async function applySecrets(work: Work, { id, secrets = [] }: Application): Promise<void> {
  const { op, api } = work
  const path = `/applications/${segment(id)}/secrets`
  for (const { name, secret } of secrets) {
    const value = work.secretOf(secret)
    const live = await op.read((db) => findLiveSecrets(db, id, op.now()))
    if (live.some(({ secretHash }) => secretHash === op.hashSecret(value))) continue
    const old = live.filter((one) => one.name === name)
    work.say(`${old.length > 0 ? '~' : '+'} secret ${id}/${name}`)
    await api.send(`secret ${id}/${name}`, 'POST', path, { name, secret: value })
    for (const one of old) await api.send(`secret ${id}/${name}`, 'DELETE', `${path}/${one.id}`)
  }
}

async function applyKeys(work: Work, { id, keys = [] }: Application): Promise<void> {
  const { op, api } = work
  const path = `/applications/${segment(id)}/keys`
  for (const { secretKey: reference, ...key } of keys) {
    const what = `access key ${id}/${key.accessKey}`
    const secretKey = reference && work.secretOf(reference)
    const own = `${path}/${segment(key.accessKey)}`
    const create = () => api.send(what, 'POST', path, { ...key, ...(secretKey && { secretKey }) })
    const hash = await op.read((db) => findKeyHash(db, id, key.accessKey))
    if (hash !== null && secretKey && hash !== op.hashSecret(secretKey)) {
      work.say(`~ ${what}: secret`)
      await api.send(what, 'DELETE', own)
      await create()
      continue
    }
    await reconcile(
      work,
      { noun: 'access key', name: `${id}/${key.accessKey}`, fields: key },
      {
        found: hash === null ? null : ((await api.find(own))?.body ?? null),
        create,
        change: (changed) => api.send(what, 'PATCH', own, changed),
      },
    )
  }
}
