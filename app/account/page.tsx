import { comboboxWords } from '@/app/_ui/combobox-words'
import { LinkButton } from '@/app/_ui/link-button'
import { ownAttributes } from '@/lib/accounts/own-attributes'
import { ownProfile } from '@/lib/accounts/profile'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { requireUser, type Session } from '@/lib/browser/session'
import { op } from '@/lib/op'
import { attributeToText } from '@/lib/settings/attribute-text'
import { AttributesForm } from './attributes-form'
import { ProfileForm } from './form'
import { AccountFrame } from './frame'
import { ownPicture } from './own-picture'
import { Portrait } from './portrait'

export const generateMetadata = pageTitle(({ account }) => account.title)

export default async function ProfilePage({ searchParams }: PageProps) {
  const session = await requireUser()
  const { done } = await searchParams
  const { account, common } = await currentMessages()
  const { profile } = account
  return (
    <AccountFrame page="profile" title={profile.title} intro={profile.intro} done={done}>
      <Picture session={session} />
      <ProfileForm
        profile={await ownProfile(await op(), session)}
        words={profile}
        save={account.save}
        saving={account.saving}
        common={common}
        choose={await comboboxWords()}
      />
      <Attributes session={session} />
    </AccountFrame>
  )
}

/** What admins wish to know or say beyond the standard profile. */
async function Attributes({ session }: { session: Session }) {
  const { account, common } = await currentMessages()
  const { attributes: words } = account
  const { shown, open, values } = await ownAttributes(await op(), session)
  const told = shown.filter(({ value }) => value !== null)
  return (
    <>
      {told.length > 0 && (
        <section className="grid gap-4">
          <h2 className="font-semibold text-lead">{words.shown}</h2>
          <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
            {told.map(({ attribute, value }) => (
              <div key={attribute.key}>
                <dt className="font-semibold">{attribute.name}</dt>
                <dd className="whitespace-pre-line [overflow-wrap:anywhere]">
                  {typeof value === 'boolean'
                    ? words[value ? 'yes' : 'no']
                    : attributeToText(value)}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
      {open.length > 0 && (
        <AttributesForm
          open={open}
          values={values}
          words={{
            ...words,
            save: account.save,
            saving: account.saving,
            problem: common.problem,
            conflict: account.profile.problems.conflict,
          }}
        />
      )}
    </>
  )
}

async function Picture({ session }: { session: Session }) {
  const { picture } = (await currentMessages()).account
  const path = await ownPicture()
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <Portrait path={path} name={session.user.name} alt={picture.current} large />
      <LinkButton href="/account/picture" tone="quiet">
        {path === null ? picture.add : picture.change}
      </LinkButton>
    </div>
  )
}
