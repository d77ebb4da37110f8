import { getApplication } from '../api/applications/applications'
import { getGroup } from '../api/permissions/groups'
import { getResourceById } from '../api/permissions/resource-overview'
import { getRoleById } from '../api/permissions/role-overview'
import { type HitWire, SEARCH_SCOPES, type SearchKind, search } from '../api/records/search'
import { type FieldError, valuesOf } from '../browser/api-form'
import type { Messages } from '../i18n'
import { fill } from '../i18n/fill'
import type { AdminApi } from './api'
import { findPerson } from './person'

/**
 * What somebody means who typed a name, a key, an address or an ID into a field, or chose from its
 * list (app/_ui/combobox.tsx). Only what they may read is found: the operations of the API answer.
 */

/** What can be chosen, and where it is looked for. */
export const CHOICES = {
  user: ['user'],
  application: ['application'],
  api: ['api'],
  permission: ['permission'],
  role: ['role'],
  group: ['group'],
  owner: ['user', 'group'],
  member: ['user', 'group', 'application'],
  subject: ['user', 'application'],
  reviewed: ['role', 'api', 'application', 'user', 'space'],
  reviewer: ['user', 'group', 'role'],
  anything: ['user', 'application', 'role', 'group', 'api', 'webhook'],
} as const satisfies Record<string, readonly SearchKind[]>
export type ChoiceKind = keyof typeof CHOICES

export type Choice = Pick<HitWire, 'id' | 'name' | 'hint'> & {
  /** Null if the caller may not look for it: the API decides about what was typed. */
  kind: SearchKind | null
}
type NotFound = 'missing' | 'unknown' | 'several'
/** What was typed, and what it means. */
export type TypedChoice = { text: string } & ({ found: Choice } | { problem: NotFound })

const MAX_LENGTH = 200
const MAX_FOUND = 20

export async function meantBy(
  api: AdminApi,
  kind: ChoiceKind,
  typed: string,
  space?: string,
): Promise<TypedChoice> {
  const text = typed.trim()
  const kinds = CHOICES[kind].filter((one) => api.may(SEARCH_SCOPES[one]))
  // An access key stands for its application and has no name of its own.
  if (kinds.length === 0 || /^ak_/.test(text)) return { text, found: unchecked(text) }
  if (text === '') return { text, problem: 'missing' }
  if (text.length > MAX_LENGTH) return { text, problem: 'unknown' }
  for (const one of kinds) {
    const found = await BY_ID[one]?.(api, text)
    if (found) return { text, found: { ...found, kind: one } }
  }
  const hits = await Promise.all(kinds.map((one) => called(api, one, text, space)))
  const [found, ...others] = hits.flat()
  if (found && others.length === 0) return { text, found }
  return { text, problem: found ? 'several' : 'unknown' }
}

function unchecked(text: string): Choice {
  return { kind: null, id: text, name: text, hint: null }
}

type ById = (api: AdminApi, text: string) => Promise<Omit<Choice, 'kind'> | null>

/** By ID, key or address: each names one thing. */
const BY_ID: Partial<Record<SearchKind, ById>> = {
  user: async (api, text) => {
    const found = await findPerson(api, text)
    if (!found) return null
    const { id, name, email, username } = found
    return { id, name: name ?? email ?? username ?? id, hint: email ?? username }
  },
  application: async (api, id) => {
    const found = await api.find(getApplication, { params: { id } })
    return found && { id: found.id, name: found.name, hint: found.id }
  },
  group: async (api, group) => {
    const found = await api.find(getGroup, { params: { group } })
    return found && { id: found.id, name: found.name, hint: found.key }
  },
  role: async (api, role) => {
    const found = await api.find(getRoleById, { params: { role } })
    return found && { id: found.id, name: found.name, hint: found.key }
  },
  api: async (api, id) => {
    const found = await api.find(getResourceById, { params: { id } })
    return found && { id: found.id, name: found.name, hint: found.audience }
  },
}

/** By the whole name, key or address, in upper or lower case. */
async function called(
  api: AdminApi,
  kind: SearchKind,
  text: string,
  space: string | undefined,
): Promise<HitWire[]> {
  const query = { q: text, kind, limit: MAX_FOUND, ...(space !== undefined && { space }) }
  const { data } = await api.get(search, { query })
  const same = (one: string | null) => one?.toLowerCase() === text.toLowerCase()
  const exact = data.filter(({ id, hint }) => same(id) || same(hint))
  return exact.length > 0 ? exact : data.filter(({ name }) => same(name))
}

export function foundIn(meant: TypedChoice | undefined): Choice | undefined {
  return meant && 'found' in meant ? meant.found : undefined
}

/** What stands at a field whose text means nothing, or too much. */
export function meaningProblem(meant: TypedChoice, words: Messages['choose']): string | undefined {
  return 'problem' in meant ? fill(words[meant.problem], { text: meant.text }) : undefined
}

/** What an ID that is stored is called, for a field that shows it. */
export async function meaningOf(
  api: AdminApi,
  kind: ChoiceKind,
  id: string | null | undefined,
): Promise<TypedChoice | undefined> {
  if (id === null || id === undefined || id === '') return undefined
  const meant = await meantBy(api, kind, id)
  // What is stored is no mistake, even if it no longer exists.
  return 'found' in meant ? meant : undefined
}

/** For an action: what each value of a field means, or the mistake in one. */
export async function allChosenIn(
  api: AdminApi,
  kind: ChoiceKind,
  form: FormData,
  field: string,
  words: Messages['choose'],
): Promise<{ found: Choice[]; mistake?: never } | { mistake: FieldError }> {
  const found: Choice[] = []
  for (const text of itemsIn(form, field)) {
    const meant = await meantBy(api, kind, text)
    if (!('found' in meant)) return { mistake: { field, text: meaningProblem(meant, words) ?? '' } }
    if (found.every(({ id }) => id !== meant.found.id)) found.push(meant.found)
  }
  return { found }
}

/** What was chosen; where the caller may not look for it, its ID says what it is. */
export function kindOf({ kind, id }: Choice, otherwise: SearchKind): SearchKind {
  const known: Readonly<Record<string, SearchKind>> = KINDS_OF_IDS
  return kind ?? known[id.split('_')[0] ?? ''] ?? otherwise
}

const KINDS_OF_IDS = {
  usr: 'user',
  grp: 'group',
  rol: 'role',
  app: 'application',
  spc: 'space',
} as const

/** Whom a rule or a review names. */
export type Party = { type: 'user' | 'group' | 'role'; id: string }

/** For an action: the people, groups and roles of one field; and the mistake in it. */
export async function partiesIn(
  api: AdminApi,
  form: FormData,
  field: string,
  words: Messages['choose'],
): Promise<{ parties: Party[]; mistakes: FieldError[] }> {
  const chosen = await allChosenIn(api, 'reviewer', form, field, words)
  if (chosen.mistake) return { parties: [], mistakes: [chosen.mistake] }
  const parties = chosen.found.map((one) => ({ type: kindOf(one, 'user'), id: one.id }))
  return { parties: parties as Party[], mistakes: [] } // the kinds of CHOICES.reviewer
}

/** The values of a field that takes several: each is one, and commas or lines part what was typed. */
export function itemsIn(form: FormData, field: string): string[] {
  const items = valuesOf(form, field).flatMap((value) => value.split(/[,\r\n]/))
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ''))]
}

/** The same for names without spaces, which spaces part too. */
export function wordsIn(form: FormData, field: string): string[] {
  return itemsIn(form, field).flatMap((item) => item.split(/\s+/))
}

/** For an action: what a field of the form means, or the mistake in it. */
export async function chosenIn(
  api: AdminApi,
  kind: ChoiceKind,
  form: FormData,
  field: string,
  words: Messages['choose'],
): Promise<{ found: Choice; mistake?: never } | { mistake: FieldError }> {
  const meant = await meantBy(api, kind, String(form.get(field) ?? ''))
  if ('found' in meant) return meant
  return { mistake: { field, text: meaningProblem(meant, words) ?? '' } }
}

/** The fields of a question in a page's address; those that are empty mean nothing. */
export async function meantIn<const Field extends string>(
  api: AdminApi,
  kinds: Readonly<Record<Field, ChoiceKind>>,
  asked: Partial<Record<NoInfer<Field>, string>>,
): Promise<Partial<Record<Field, TypedChoice>>> {
  const fields = Object.keys(kinds) as Field[]
  const meant = fields.map(async (field) => {
    const text = asked[field]
    return text === undefined ? [] : [[field, await meantBy(api, kinds[field], text)] as const]
  })
  const entries = (await Promise.all(meant)).flat()
  return Object.fromEntries(entries) as Partial<Record<Field, TypedChoice>>
}
