import type { FieldWords } from '@/app/_ui/field'
import type { AdminApi } from '@/lib/admin/api'
import { CHOICES, foundIn, meaningOf, type Party } from '@/lib/admin/choice'
import { ChooseMany, searchSource } from './choose'

/** Of what is stored, only some is chosen by name. */
type Stored = { type: string; id?: string | undefined }

type Props = FieldWords & { api: AdminApi; chosen: readonly Stored[] }

/** One field for people, groups and roles. */
export async function ChooseParties({ api, chosen, ...words }: Props) {
  const parties = chosen.filter(isParty)
  const shown = await Promise.all(
    parties.map(async ({ type, id }) => {
      const found = foundIn(await meaningOf(api, type, id))
      return { value: id, label: found?.name ?? id, hint: found?.hint ?? null }
    }),
  )
  return <ChooseMany {...words} source={searchSource('reviewer')} chosen={shown} />
}

function isParty(one: Stored): one is Party {
  return one.id !== undefined && CHOICES.reviewer.some((kind) => kind === one.type)
}
