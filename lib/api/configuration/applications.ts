import { findKeyHash } from '../../store/applications/access-keys'
import { findLiveSecrets } from '../../store/applications/secrets'
import * as accessKeys from '../applications/access-keys'
import * as applications from '../applications/applications'
import { changeApplicationBranding, getApplicationBranding } from '../applications/branding'
import { getApplicationGrants, replaceApplicationGrants } from '../applications/grants'
import { createApplicationSecret, revokeApplicationSecret } from '../applications/secrets'
import { chosenSecret } from '../http/schemas'
import { applicationGrantSchema } from '../permissions/grants'
import { listSpaces } from '../permissions/spaces'
import { differences } from './differences'
import { requireUserId } from './people'
import { type Configuration, ConfigurationError } from './schema'
import { type ApplyContext, reconcile } from './work'

/** Applications by their chosen client IDs, with their grants, secrets and access keys. */

type Application = Configuration['applications'][number]

export async function applyApplications(work: ApplyContext): Promise<() => Promise<void>> {
  const { api, wanted } = work
  const spaces = new Map((await api.list(listSpaces, {})).map(({ id, key }) => [key, id]))
  // A grant for a token exchange may name an application that comes later.
  for (const application of wanted.applications) await applyFields(work, application, spaces)
  for (const application of wanted.applications) {
    await applyGrants(work, application)
    await applyBranding(work, application)
    await applySecrets(work, application)
    await applyKeys(work, application)
  }
  return async () => {
    if (!work.prunes('applications')) return
    const named = new Set(wanted.applications.map(({ id }) => id))
    for (const { id, registration } of await api.list(applications.listApplications, {})) {
      // What registered itself is nothing that a file could name.
      if (named.has(id) || registration !== 'admin') continue
      work.say(`- application ${id}`)
      await api.send(`application ${id}`, applications.deleteApplication, { params: { id } })
    }
  }
}

async function applyFields(
  work: ApplyContext,
  application: Application,
  spaces: ReadonlyMap<string, string>,
): Promise<void> {
  const { id, kind, ...members } = application
  const { grants: _grants, branding: _look, secrets: _secrets, keys: _keys, ...rest } = members
  const { api } = work
  const found = await api.find(applications.getApplication, { params: { id } })
  if (found && found.kind !== kind) {
    throw new ConfigurationError(
      `application ${id}: its kind is ${found.kind} and cannot be changed to ${kind}`,
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
      create: () => {
        // A file that does not say where claims go means the same in every release.
        const body = { id, kind, withSecret: false, profileInIdToken: false, ...fields }
        return api.send(what, applications.createApplication, { body })
      },
      change: (body) => api.send(what, applications.changeApplication, { params: { id }, body }),
    },
  )
}

async function applyGrants({ api, say }: ApplyContext, { id, grants }: Application): Promise<void> {
  if (!grants) return
  const wanted = grants.map((one) =>
    applicationGrantSchema.parse(typeof one === 'string' ? { pattern: one } : one),
  )
  const there = await api.find(getApplicationGrants, { params: { id } })
  const plain = (there?.grants ?? []).map(({ id: _id, ...grant }) => grant)
  const { said } = differences({ grants: plain }, { grants: wanted })
  if (said.length === 0) return
  say(`~ application ${id}: ${said.join(', ')}`)
  const body = { grants: wanted }
  await api.send(`application ${id}`, replaceApplicationGrants, { params: { id }, body })
}

/** Its colours and what it says; a new application has none. */
async function applyBranding(
  { api, say }: ApplyContext,
  { id, branding }: Application,
): Promise<void> {
  if (!branding) return
  const params = { id }
  const { changed, said } = differences(
    (await api.find(getApplicationBranding, { params })) ?? {},
    branding,
  )
  if (said.length === 0) return
  say(`~ branding ${id}: ${said.join(', ')}`)
  await api.send(`branding ${id}`, changeApplicationBranding, { params, body: changed })
}

/**
 * A secret that exists already is recognised by its hash; another one of the same name is revoked.
 */
async function applySecrets(work: ApplyContext, { id, secrets = [] }: Application): Promise<void> {
  const { op, api } = work
  for (const { name, secret } of secrets) {
    const value = work.secretOf(secret, chosenSecret)
    const live = await op.read((db) => findLiveSecrets(db, id, op.now()))
    if (live.some(({ secretHash }) => secretHash === op.hashSecret(value))) continue
    const old = live.filter((one) => one.name === name)
    work.say(`${old.length > 0 ? '~' : '+'} secret ${id}/${name}`)
    const what = `secret ${id}/${name}`
    await api.send(what, createApplicationSecret, { params: { id }, body: { name, secret: value } })
    for (const one of old)
      await api.send(what, revokeApplicationSecret, { params: { id, secret: one.id } })
  }
}

async function applyKeys(work: ApplyContext, { id, keys = [] }: Application): Promise<void> {
  const { op, api } = work
  for (const { secretKey: reference, ...key } of keys) {
    const what = `access key ${id}/${key.accessKey}`
    const secretKey = reference && work.secretOf(reference, chosenSecret)
    const params = { id, key: key.accessKey }
    const body = { ...key, ...(secretKey && { secretKey }) }
    const create = () => api.send(what, accessKeys.createAccessKey, { params: { id }, body })
    const hash = await op.read((db) => findKeyHash(db, id, key.accessKey))
    if (hash !== null && secretKey && hash !== op.hashSecret(secretKey)) {
      work.say(`~ ${what}: secret`)
      await api.send(what, accessKeys.deleteAccessKey, { params })
      await create()
      continue
    }
    await reconcile(
      work,
      { noun: 'access key', name: `${id}/${key.accessKey}`, fields: key },
      {
        found: hash === null ? null : await api.find(accessKeys.getAccessKey, { params }),
        create,
        change: (changed) => api.send(what, accessKeys.changeAccessKey, { params, body: changed }),
      },
    )
  }
}
