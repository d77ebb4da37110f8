import { worded } from '@/app/_ui/worded'
import { ADMIN_ROLES } from '@/lib/access/authority'
import type { UserWire } from '@/lib/api/users/users'
import { currentMessages } from '@/lib/browser/locale'
import type { Messages } from '@/lib/i18n'
import { languages, locales } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { op } from '@/lib/op'
import { withoutDefined } from '@/lib/settings/attribute-text'
import { AttributeFields } from '../_ui/attribute-fields'
import { Check, Select, TextArea, TextInput } from '../_ui/form'
import { NameClaims, PhoneClaims, RareClaims } from './claim-fields'

type Props = { words: Messages['admin']['users']; user?: UserWire }

/** What is asked first of somebody. */
export function UserFields({ words, user }: Props) {
  return (
    <>
      <TextInput {...worded(words, 'email')} type="email" defaultValue={user?.email ?? ''} />
      <TextInput name="name" label={words.name} defaultValue={user?.name ?? ''} />
    </>
  )
}

/** The rest of what is known of them. */
export async function MoreUserFields({ words, user }: Props) {
  const roles = choices(ADMIN_ROLES, words.roleTexts)
  const { userAttributes: defined } = (await op()).settings.known()
  const { attributes: attributeWords } = (await currentMessages()).admin.settings
  const values = user?.attributes ?? {}
  const others = withoutDefined(defined, values)
  return (
    <>
      <NameClaims profile={user?.profile} />
      <Check
        name="emailVerified"
        label={words.emailVerified}
        checked={user?.emailVerified ?? false}
      />
      <TextInput {...worded(words, 'username')} defaultValue={user?.username ?? ''} />
      <Select
        {...worded(words, 'role', 'adminRole')}
        defaultValue={user?.adminRole ?? ''}
        options={[['', words.roleNone], ...roles]}
      />
      <Select
        {...worded(words, 'locale')}
        defaultValue={user?.locale ?? ''}
        options={[['', '–'], ...locales.map((locale) => [locale, languages[locale].name] as const)]}
      />
      <PhoneClaims profile={user?.profile} />
      <RareClaims profile={user?.profile} />
      <AttributeFields defined={defined} values={values} words={attributeWords} />
      <TextArea
        {...worded(words, 'attributes')}
        code
        defaultValue={Object.keys(others).length > 0 ? JSON.stringify(others, null, 2) : ''}
      />
    </>
  )
}
