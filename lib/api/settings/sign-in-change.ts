import { isDeepStrictEqual } from 'node:util'
import { hasJustSignedIn, isConfirmed } from '../../accounts/confirm'
import type { Op, Transaction } from '../../context/op'
import { tellOwners } from '../../delivery/mail/notices'
import type { NoticeOrder } from '../../delivery/mail/order'
import { effective, type Smtp } from '../../settings/effective'
import type { WrittenProvider } from '../../settings/providers'
import { findSessionProof } from '../../store/accounts/sessions'
import { findUser } from '../../store/accounts/users'
import { authorize } from '../authority/authorize'
import { SIGN_IN_PRIVILEGE } from '../authority/privileges'
import type { Caller } from '../http/caller'
import type { Call } from '../http/operation'
import { Problem } from '../http/problem'
import {
  changeStored,
  type NextSettings,
  type Representation,
  type WrittenSettings,
} from './change'

/**
 * The mail server and the sign-in providers decide who can sign in: the mail server carries every
 * link that resets a password, and a provider says who a user is. Whoever changes them must have
 * confirmed their identity just before. Every owner gets a notice, also through the previous mail
 * server.
 */

export async function changeSignIn(
  op: Op,
  call: Call,
  next: NextSettings,
): Promise<Representation> {
  await authorize(op, call, SIGN_IN_PRIVILEGE)
  await requireConfirmedCaller(op, call.caller)
  const { ip } = call.incoming
  return changeStored(op, call, next, async (tx, before, after) => {
    const by = await nameOf(tx, call.caller)
    for (const news of newsOf(op, before, after, by)) await tellOwners(op, tx, news, { ip })
  })
}

// ---------------------------------------------------------------- who they are

/** An application cannot confirm its identity; the operator need not. */
async function requireConfirmedCaller(op: Op, { kind, session }: Caller): Promise<void> {
  if (kind !== 'user') return
  const proof = session ? await op.read((db) => findSessionProof(db, session.id)) : null
  const { confirmMinutes } = (await op.settings.current()).security
  if (proof && isConfirmed(proof, op.now(), confirmMinutes)) return
  // An application cannot lead to the portal's confirmation page, but it can request a new sign-in.
  const byToken = session?.through !== 'pages'
  if (proof && byToken && hasJustSignedIn(proof, op.now(), confirmMinutes)) return
  const page = `confirm your identity at ${op.origin}/account/confirm, then send this again`
  const app = 'ask the user to sign in again with prompt=login, then send this again'
  throw new Problem('confirmation_needed', byToken ? app : page)
}

async function nameOf(tx: Transaction, { kind, id }: Caller): Promise<string> {
  const user = kind === 'user' ? await findUser(tx, id) : null
  return user?.email ?? id
}

// ---------------------------------------------------------------- what owners hear

type News = Pick<NoticeOrder, 'notice' | 'change' | 'via'>

function newsOf(op: Op, before: WrittenSettings, after: WrittenSettings, by: string): News[] {
  return [...mailNews(op, before, after, by), ...providerNews(before, after, by)]
}

/**
 * One mail for each server: the previous server reaches the owners even if the new one is hostile.
 */
function mailNews(op: Op, before: WrittenSettings, after: WrittenSettings, by: string): News[] {
  const [old, now] = [before, after].map(({ stored, secrets }) => smtpOf(op, stored, secrets))
  if (isDeepStrictEqual(old, now)) return []
  const change = { before: hostOf(before), after: hostOf(after), by }
  const servers = [old, now].filter((via) => via !== null && via !== undefined)
  return servers.map((via) => ({ notice: 'mail_server_changed', change, via }))
}

function smtpOf(
  op: Op,
  stored: WrittenSettings['stored'],
  secrets: WrittenSettings['secrets'],
): Smtp | null {
  return effective(op.config, stored, secrets, 0).smtp
}

function hostOf({ stored: { mail } }: WrittenSettings): string | null {
  return mail && new URL(mail.server).host
}

function providerNews(before: WrittenSettings, after: WrittenSettings, by: string): News[] {
  const ids = [before, after].flatMap(({ stored }) => stored.providers.map(({ id }) => id))
  return [...new Set(ids)]
    .filter((id) => !isDeepStrictEqual(providerIn(before, id), providerIn(after, id)))
    .map((id) => {
      const [was, is] = [before, after].map((written) => inWords(providerIn(written, id).provider))
      const change = { what: id, before: was ?? null, after: is ?? null, by }
      return { notice: 'provider_changed', change }
    })
}

function providerIn({ stored, secrets }: WrittenSettings, id: string) {
  const provider = stored.providers.find((one) => one.id === id)
  return { provider, secret: secrets.providers[id] }
}

/** The address only, without any text that somebody could choose freely. */
function inWords(provider: WrittenProvider | undefined): string | null {
  if (!provider) return null
  const { kind } = provider
  if (kind === 'oidc') return `${kind}, ${new URL(provider.issuer).host}`
  if (kind === 'github') return `${kind}, ${new URL(provider.url).host}`
  return kind === 'microsoft' ? `${kind}, ${provider.tenant}` : kind
}
