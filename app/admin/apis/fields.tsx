import { worded } from '@/app/_ui/worded'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { ACCESS_TOKEN_TYPES } from '@/lib/oidc/client'
import { Check, Select, TextInput } from '../_ui/form'

type Words = Messages['admin']['apis']
type Props = { words: Words; api?: ResourceWire }

export function ApiName({ words, api }: Props) {
  return <TextInput {...worded(words, 'name')} defaultValue={api?.name} />
}

/** What else can be changed of an API later too. */
export function ApiFields({ words, api }: Props) {
  return (
    <>
      <TextInput {...worded(words, 'audience')} type="url" defaultValue={api?.audience} />
      <Check {...worded(words, 'subpaths')} checked={api?.subpaths ?? false} />
      <TextInput
        {...worded(words, 'tokenSeconds')}
        type="number"
        min={60}
        max={86_400}
        defaultValue={String(api?.tokenSeconds ?? 3_600)}
      />
      <Select
        {...worded(words, 'tokenAlg')}
        defaultValue={api?.tokenAlg ?? ''}
        options={[
          ['', words.algDefault],
          ['ES256', 'ES256'],
          ['RS256', 'RS256'],
        ]}
      />
      <Select
        {...worded(words, 'tokenType')}
        defaultValue={api?.tokenType ?? 'at+jwt'}
        options={choices(ACCESS_TOKEN_TYPES, words.tokenTypes)}
      />
      <Check {...worded(words, 'enabled')} checked={api?.enabled ?? true} />
    </>
  )
}
