'use server'

import { redirect } from 'next/navigation'
import { type AdminApi, adminApi } from '@/lib/admin/api'
import { chosenIn, wordsIn } from '@/lib/admin/choice'
import { sendForm, sendNamed } from '@/lib/admin/form-call'
import * as applications from '@/lib/api/applications/applications'
import { parsedJson } from '@/lib/base/json-text'
import {
  type FieldError,
  type FormState,
  linesOf,
  mistaken,
  numberOf,
  refused,
  valuesOf,
} from '@/lib/browser/api-form'
import { textOf } from '@/lib/browser/form'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { type FlagSection, flagsOf } from '@/lib/oidc/client'
import { onceForSecret } from './once'

export async function createApplication(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin } = await currentMessages()
  const { wizard: words } = admin.applications
  const kind = textOf(form, 'kind')
  const body = {
    kind,
    name: textOf(form, 'name'),
    publisher: orNull(form, 'publisher'),
    ...(kind !== 'machine' && {
      redirectUris: linesOf(form, 'redirectUris'),
      postLogoutRedirectUris: linesOf(form, 'postLogoutRedirectUris'),
      // Nothing there: what its kind starts with.
      ...(linesOf(form, 'origins').length > 0 && { origins: linesOf(form, 'origins') }),
    }),
    ...(form.has('asksForClaims') && {
      profileInIdToken: textOf(form, 'profileInIdToken') === 'yes',
    }),
  }
  const made = await api.send(applications.createApplication, { body })
  if (!made.ok)
    return refused(made.problem, form, admin.problems, {}, admin.problems.own.application)
  const base = `/admin/applications/${encodeURIComponent(made.body.id)}`
  const toScopes = [words.openScopes, `${base}/scopes`] as const
  const toCode = [words.openQuickStart, `${base}/quick-start`] as const
  const toSteps = [admin.overview.steps.back, '/admin'] as const
  const isStep = textOf(form, 'from') === 'steps'
  const ways = kind === 'machine' ? [toScopes, toCode] : [toCode, toScopes]
  const links = isStep ? [toSteps, ...ways] : ways
  return { made: await onceForSecret(words.made, made.body, links) }
}

const SECTIONS = [
  'general',
  'addresses',
  'security',
  'compatibility',
  'scopes',
  'first_party',
] as const

/** Each part of the settings is a form of its own, and changes what is in it. */
export async function saveApplication(_before: FormState, form: FormData): Promise<FormState> {
  const api = await adminApi()
  const { admin, choose } = await currentMessages()
  const { problems, applications: words } = admin
  const section = SECTIONS.find((one) => one === textOf(form, 'section'))
  if (!section) return mistaken(form, { text: problems.malformed })
  const owner = await ownerIn(api, form, choose)
  if (owner.mistake) return mistaken(form, owner.mistake)
  const body = { ...READERS[section](form), ...owner.body }
  if ('jwks' in body && body.jwks === undefined) {
    return mistaken(form, { field: 'jwks', text: words.settings.jwksWrong })
  }
  const asked = { ...seenIn(form), body }
  const saved = await sendForm(form, applications.changeApplication, asked, 'application')
  return saved.refused ?? redirect(`${pageOf(form)}/settings?done=appSaved`)
}

const READERS = {
  general: (form: FormData) => ({
    name: textOf(form, 'name'),
    publisher: orNull(form, 'publisher'),
    ...(form.has('mayVerify') && {
      publisherVerified: textOf(form, 'publisherVerified') === 'yes',
    }),
    policyUri: orNull(form, 'policyUri'),
    tosUri: orNull(form, 'tosUri'),
    ...flagsIn(form, 'general'),
    ...(form.has('space') && { space: orNull(form, 'space') }),
  }),
  addresses: (form: FormData) => ({
    redirectUris: linesOf(form, 'redirectUris'),
    postLogoutRedirectUris: linesOf(form, 'postLogoutRedirectUris'),
    origins: textOf(form, 'originsFrom') === 'redirects' ? null : linesOf(form, 'origins'),
    backchannelLogoutUri: orNull(form, 'backchannelLogoutUri'),
    initiateLoginUri: orNull(form, 'initiateLoginUri'),
  }),
  /** The keys are undefined where they are no JSON. */
  security: (form: FormData) => ({
    authMethods: valuesOf(form, 'authMethods'),
    grantTypes: valuesOf(form, 'grantTypes'),
    idTokenAlg: textOf(form, 'idTokenAlg'),
    userinfoAlg: orNull(form, 'userinfoAlg'),
    defaultMaxAge: orNull(form, 'defaultMaxAge') === null ? null : numberOf(form, 'defaultMaxAge'),
    ...flagsIn(form, 'security'),
    accessTokenAlg: textOf(form, 'accessTokenAlg'),
    jwks: jsonIn(form, 'jwks'),
    jwksUri: orNull(form, 'jwksUri'),
  }),
  compatibility: (form: FormData) => ({
    ...flagsIn(form, 'compatibility'),
    ...(form.has('pkce') && { pkce: textOf(form, 'pkce') }),
    accessTokenType: textOf(form, 'accessTokenType'),
    assertionAudience: textOf(form, 'assertionAudience'),
    assertionSeconds: numberOf(form, 'assertionSeconds'),
    assertionAlg: orNull(form, 'assertionAlg'),
  }),
  scopes: (form: FormData) => ({
    ...flagsIn(form, 'scopes'),
    requiredScopes: wordsIn(form, 'requiredScopes'),
    defaultScopes: wordsIn(form, 'defaultScopes'),
    scopeLimit: orNothing(wordsIn(form, 'scopeLimit')),
  }),
  first_party: (form: FormData) => ({
    ...flagsIn(form, 'first_party'),
    preapprovedScopes: wordsIn(form, 'preapprovedScopes'),
  }),
}

/** An empty field is no limit. */
function orNothing(words: string[]): string[] | null {
  return words.length > 0 ? words : null
}

/** A box that is not ticked is not sent. */
function flagsIn(form: FormData, section: FlagSection) {
  return Object.fromEntries(flagsOf(section).map((name) => [name, textOf(form, name) === 'yes']))
}

/** Whoever may give the application away says to whom. */
async function ownerIn(
  api: AdminApi,
  form: FormData,
  words: Messages['choose'],
): Promise<{ body: { owner?: string | null }; mistake?: never } | { mistake: FieldError }> {
  if (!form.has('owner')) return { body: {} }
  if (orNull(form, 'owner') === null) return { body: { owner: null } }
  const chosen = await chosenIn(api, 'user', form, 'owner', words)
  return chosen.mistake ? chosen : { body: { owner: chosen.found.id } }
}

export async function setEnabled(_before: FormState, form: FormData): Promise<FormState> {
  const enabled = textOf(form, 'enabled') === 'yes'
  const asked = { ...seenIn(form), body: { enabled } }
  const saved = await sendForm(form, applications.changeApplication, asked)
  return (
    saved.refused ??
    redirect(`${pageOf(form)}/danger?done=${enabled ? 'appEnabled' : 'appDisabled'}`)
  )
}

export async function deleteApplication(_before: FormState, form: FormData): Promise<FormState> {
  const gone = await sendNamed(form, applications.deleteApplication, seenIn(form))
  return gone.refused ?? redirect('/admin/applications?done=appDeleted')
}

/** Which application the form is about, and the version of it that was shown. */
function seenIn(form: FormData) {
  return { params: { id: textOf(form, 'id') }, version: textOf(form, 'version') }
}

function pageOf(form: FormData): string {
  return `/admin/applications/${encodeURIComponent(textOf(form, 'id'))}`
}

function orNull(form: FormData, name: string): string | null {
  return textOf(form, name).trim() || null
}

/** Null where nothing was typed, undefined where it is no JSON. */
function jsonIn(form: FormData, name: string): unknown {
  const text = orNull(form, name)
  return text === null ? null : parsedJson(text)
}
