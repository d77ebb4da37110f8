import { unseal } from '../../crypto/seal'
import { openSecrets } from '../../settings/current'
import { findSettings } from '../../store/delivery/settings'
import { findWebhook } from '../../store/delivery/webhooks'
import * as webhooks from '../delivery/webhooks'
import { deleteProvider, putProvider } from '../settings/providers'
import * as settings from '../settings/routes'
import type { SettingsWire as Settings } from '../settings/wire'
import { differences } from './differences'
import type { Thing } from './operator'
import type { Configuration } from './schema'
import { type ApplyContext, reconcile } from './work'

/** Settings and webhooks: encrypted secrets are decrypted to be compared, and never shown. */

const SECTIONS = ['security', 'branding', 'languages', 'clientRegistration'] as const

const LISTS = ['userAttributes', 'putAway'] as const

export async function applySettings(work: ApplyContext): Promise<void> {
  const { wanted, api } = work
  if (!wanted.settings) return
  const patch: Thing = {}
  const there = await api.find(settings.getSettings, {})
  if (!there) return
  for (const section of SECTIONS) {
    const { changed, said } = differences(there[section], wanted.settings[section] ?? {})
    if (said.length === 0) continue
    work.say(`~ settings ${section}: ${said.join(', ')}`)
    patch[section] = changed
  }
  for (const list of LISTS) {
    const own = wanted.settings[list]
    if (!own || differences(there, { [list]: own }).said.length === 0) continue
    work.say(`~ settings ${list}`)
    patch[list] = own
  }
  if (await mailDiffers(work, there.mail)) {
    const { mail } = wanted.settings
    work.say('~ settings mail')
    patch.mail = mail && {
      ...mail,
      password: mail.password ? work.secretOf(mail.password) : null,
    }
  }
  if (Object.keys(patch).length > 0) {
    await api.send('settings', settings.changeSettings, { body: patch })
  }
  await applyProviders(work, there.providers)
}

async function secretsKept({ op }: ApplyContext) {
  return openSecrets(op.settingsKey, await op.read(findSettings))
}

async function mailDiffers(work: ApplyContext, there: Settings['mail']): Promise<boolean> {
  const mail = work.wanted.settings?.mail
  if (mail === undefined) return false
  if (mail === null || !there) return mail !== there
  const { password, ...fields } = mail
  if (differences(there, fields).said.length > 0) return true
  const kept = (await secretsKept(work)).mail
  return kept !== (password && work.secretOf(password))
}

async function applyProviders(work: ApplyContext, there: Settings['providers']): Promise<void> {
  const providers = work.wanted.settings?.providers
  if (!providers) return
  for (const { id, clientSecret, ...fields } of providers) {
    const found = there.find((one) => one.id === id && one.source === 'settings')
    const secret = clientSecret && work.secretOf(clientSecret)
    const kept = (await secretsKept(work)).providers[id]
    const { said } = differences(found ?? {}, fields)
    if (found && secret !== undefined && secret !== kept) said.push('secret')
    if (found && said.length === 0) continue
    work.say(found ? `~ provider ${id}: ${said.join(', ')}` : `+ provider ${id}`)
    const body = { ...fields, ...(secret && { clientSecret: secret }) }
    await work.api.send(`provider ${id}`, putProvider, {
      params: { provider: id },
      body,
    })
  }
  if (!work.prunes('providers')) return
  const named = new Set(providers.map(({ id }) => id))
  for (const { id, source } of there) {
    if (source !== 'settings' || named.has(id)) continue
    work.say(`- provider ${id}`)
    await work.api.send(`provider ${id}`, deleteProvider, { params: { provider: id } })
  }
}

// ---------------------------------------------------------------- webhooks

export async function applyWebhooks(work: ApplyContext): Promise<void> {
  const { api, wanted } = work
  const there = await api.list(webhooks.listWebhooks, {})
  for (const { secret: reference, ...webhook } of wanted.webhooks) {
    const { name } = webhook
    const secret = reference && work.secretOf(reference, webhooks.webhookSecretSchema)
    const found = there.find((one) => one.name === name) ?? null
    const what = `webhook ${name}`
    await reconcile(
      work,
      { noun: 'webhook', name, fields: webhook },
      {
        found,
        create: () =>
          api.send(what, webhooks.createWebhook, {
            body: { ...webhook, ...(secret && { secret }) },
          }),
        change: (body, { id }) =>
          api.send(what, webhooks.changeWebhook, { params: { webhook: id }, body }),
      },
    )
    if (!found || !secret || (await secretOf(work, found.id)) === secret) continue
    work.say(`~ webhook ${name}: secret`)
    const params = { webhook: found.id }
    await api.send(what, webhooks.rotateWebhookSecret, { params, body: { secret } })
  }
  if (work.prunes('webhooks')) await pruneWebhooks(work, there, wanted.webhooks)
}

async function secretOf({ op }: ApplyContext, id: string): Promise<string | null> {
  const row = await op.read((db) => findWebhook(db, id))
  return row && unseal(op.webhookKey, id, row.secretEncrypted)
}

async function pruneWebhooks(
  work: ApplyContext,
  there: readonly { id: string; name: string }[],
  wanted: Configuration['webhooks'],
): Promise<void> {
  const named = new Set(wanted.map(({ name }) => name))
  for (const { id, name } of there) {
    if (named.has(name)) continue
    work.say(`- webhook ${name}`)
    await work.api.send(`webhook ${name}`, webhooks.deleteWebhook, { params: { webhook: id } })
  }
}
