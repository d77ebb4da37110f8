import type { Choice, ChoiceSource } from '@/app/_ui/choices-found'
import { Combobox } from '@/app/_ui/combobox'
import { comboboxWords } from '@/app/_ui/combobox-words'
import type { FieldWords } from '@/app/_ui/field'
import { OPENID_SCOPES } from '@/lib/access/decide-scopes'
import { PORTAL_SCOPE_NAMES } from '@/lib/access/portal-api'
import type { AdminApi } from '@/lib/admin/api'
import {
  CHOICES,
  type ChoiceKind,
  foundIn,
  meaningProblem,
  type TypedChoice,
} from '@/lib/admin/choice'
import { listSpaces } from '@/lib/admin/spaces'
import { listResources } from '@/lib/api/permissions/resources'
import { currentMessages } from '@/lib/browser/locale'
import { ChooseInput, ChooseSeveral } from './choose-input'

/** Which of its names the field sends: APIs are asked for by audience, roles by key in their space. */
export function searchSource(
  kind: ChoiceKind,
  { space, send }: { space?: string | undefined; send?: 'id' | 'hint' | undefined } = {},
): ChoiceSource {
  return {
    from: 'search',
    kinds: CHOICES[kind],
    ...(space !== undefined && { space }),
    ...(send !== undefined && { send }),
  }
}

type Props = FieldWords & {
  kind: ChoiceKind
  /** What the field begins with, and what it means. */
  value?: string | undefined
  meant?: TypedChoice | undefined
  space?: string
  send?: 'id' | 'hint'
  several?: boolean
  placeholder?: string
}

/** A field in which something is chosen by its name. */
export async function Choose({ kind, meant, space, send, ...rest }: Props) {
  const words = await comboboxWords()
  const found = meant && 'found' in meant && meant.found.kind !== null ? meant.found : null
  const value = found && send === 'hint' ? (found.hint ?? found.id) : found?.id
  const given = found && { value, shown: found.name }
  const error = meant && meaningProblem(meant, words)
  return (
    <ChooseInput
      source={searchSource(kind, { space, send })}
      words={words}
      error={error}
      {...rest}
      {...given}
    />
  )
}

type FilterProps = FieldWords & {
  source: ChoiceSource
  value?: string | undefined
  meant?: TypedChoice | undefined
  isTableSearch?: boolean
}

/** The same among the filters of a list, where there is little room. */
export async function ChooseFilter({ meant, value, ...rest }: FilterProps) {
  const words = await comboboxWords()
  const found = foundIn(meant)
  const given = found && found.kind !== null ? { value: found.id, shown: found.name } : { value }
  const error = rest.error ?? (meant && meaningProblem(meant, words))
  return (
    <div className="grid min-w-0 content-start gap-1 text-small">
      <label htmlFor={rest.name} className="text-muted">
        {rest.label}
      </label>
      <Combobox {...rest} {...given} error={error} words={words} className={filterClass} />
      {error && (
        <p id={`${rest.name}-error`} className="font-medium text-danger">
          {error}
        </p>
      )}
    </div>
  )
}

export const filterClass =
  'min-h-10 w-full min-w-0 rounded-control border border-edge bg-raised px-3 text-body text-ink hover:border-ink aria-invalid:border-danger'

type ScopesProps = FieldWords & { value?: string | undefined; placeholder?: string }

/** Scopes as requests write them, with spaces between them: permissions, and what OpenID defines. */
export async function ChooseScopes(props: ScopesProps) {
  const source = await scopeSource()
  return <ChooseInput source={source} words={await comboboxWords()} several {...props} />
}

export async function scopeSource(): Promise<ChoiceSource> {
  const { portalScopes } = await currentMessages()
  const also = [
    ...[...OPENID_SCOPES].map((scope) => ({ value: scope, label: scope, hint: 'OpenID Connect' })),
    ...PORTAL_SCOPE_NAMES.map((scope) => ({
      value: scope,
      label: scope,
      hint: portalScopes[scope],
    })),
  ]
  return { from: 'search', kinds: CHOICES.permission, also }
}

/** Permissions, and `orders:*` for all of an API. */
export async function patternSource(api: AdminApi, space?: string): Promise<ChoiceSource> {
  const spaces = space === undefined ? (await listSpaces(api)).map(({ id }) => id) : [space]
  const query = { limit: 200 }
  const lists = await Promise.all(
    spaces.map((one) => api.get(listResources, { params: { space: one }, query })),
  )
  const also = lists.flatMap(({ data }) =>
    data.map(({ prefix, name }) => ({ value: `${prefix}:*`, label: `${prefix}:*`, hint: name })),
  )
  const within = space === undefined ? {} : { space }
  return { from: 'search', kinds: CHOICES.permission, also, ...within }
}

type SeveralProps = FieldWords & { source: ChoiceSource; chosen: readonly Choice[] }

/** A field for several of them. */
export async function ChooseMany(props: SeveralProps) {
  return <ChooseSeveral words={await comboboxWords()} {...props} />
}
