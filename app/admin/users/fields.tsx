import { ADMIN_ROLES } from '@/lib/access/authority'
import type { UserWire } from '@/lib/api/routes/users'
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

/** What is known of somebody; the same when they are added and later. */
export async function UserFields({ words, user }: Props) {
  const roles = choices(ADMIN_ROLES, words.roleTexts)
  const { userAttributes: defined } = (await op()).settings.known()
  const { attributes: attributeWords } = (await currentMessages()).admin.settings
  const values = user?.attributes ?? {}
  const others = withoutDefined(defined, values)
  return (
    <>
      <TextInput name="name" label={words.name} defaultValue={user?.name ?? ''} />
      <NameClaims profile={user?.profile} />
      <TextInput
        name="email"
        type="email"
        label={words.email}
        hint={words.emailHint}
        defaultValue={user?.email ?? ''}
      />
      <Check
        name="emailVerified"
        label={words.emailVerified}
        checked={user?.emailVerified ?? false}
      />
      <TextInput
        name="username"
        label={words.username}
        hint={words.usernameHint}
        defaultValue={user?.username ?? ''}
      />
      <Select
        name="adminRole"
        label={words.role}
        hint={words.roleHint}
        defaultValue={user?.adminRole ?? ''}
        options={[['', words.roleNone], ...roles]}
      />
      <Select
        name="locale"
        label={words.locale}
        hint={words.localeHint}
        defaultValue={user?.locale ?? ''}
        options={[['', '–'], ...locales.map((locale) => [locale, languages[locale].name] as const)]}
      />
      <PhoneClaims profile={user?.profile} />
      <RareClaims profile={user?.profile} />
      <AttributeFields defined={defined} values={values} words={attributeWords} />
      <TextArea
        name="attributes"
        label={words.attributes}
        hint={words.attributesHint}
        code
        defaultValue={Object.keys(others).length > 0 ? JSON.stringify(others, null, 2) : ''}
      />
    </>
  )
}
