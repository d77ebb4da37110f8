import type { ReactNode } from 'react'
import { comboboxWords } from '@/app/_ui/combobox-words'
import {
  ADDRESS_MEMBERS,
  type AddressMember,
  addressField,
  claimField,
  TEXT_CLAIMS,
  type TextClaim,
} from '@/lib/admin/claims'
import type { UserWire } from '@/lib/api/users/users'
import { currentMessages } from '@/lib/browser/locale'
import { ChooseInput } from '../_ui/choose-input'
import { Check, TextArea, TextInput } from '../_ui/form'

type Profile = UserWire['profile']
type Props = { profile: Profile | undefined }

/** Half a row each, where there is room. */
const pairs = 'grid items-end gap-6 sm:grid-cols-2'

async function Claim({ profile, claim, hint }: Props & { claim: TextClaim; hint?: string }) {
  const { claims } = (await currentMessages()).admin.users
  return (
    <TextInput
      name={claimField(claim)}
      label={claims[claim]}
      hint={hint}
      defaultValue={profile?.[claim] ?? ''}
    />
  )
}

type KnownProps = Props & {
  claim: 'locale' | 'zoneinfo'
  what: 'language' | 'timeZone'
  hint: string
}

/** One that browsers know all values of. */
async function Known({ profile, claim, what, hint }: KnownProps) {
  const { claims } = (await currentMessages()).admin.users
  return (
    <ChooseInput
      name={claimField(claim)}
      label={claims[claim]}
      hint={hint}
      source={{ from: 'browser', what }}
      words={await comboboxWords()}
      value={profile?.[claim] ?? ''}
    />
  )
}

export function NameClaims({ profile }: Props) {
  return (
    <div className={pairs}>
      <Claim profile={profile} claim="given_name" />
      <Claim profile={profile} claim="family_name" />
    </div>
  )
}

export async function PhoneClaims({ profile }: Props) {
  const { claims } = (await currentMessages()).admin.users
  return (
    <>
      <Claim profile={profile} claim="phone_number" hint={claims.phoneHint} />
      <Check
        name={claimField('phone_number_verified')}
        label={claims.phone_number_verified}
        checked={profile?.phone_number_verified ?? false}
      />
    </>
  )
}

const USUAL: readonly TextClaim[] = ['given_name', 'family_name', 'phone_number']
const RARE = TEXT_CLAIMS.filter((claim) => !USUAL.includes(claim))

/** Closed until somebody needs it: most users have none of these. */
export async function RareClaims({ profile }: Props) {
  const { claims } = (await currentMessages()).admin.users
  const isGiven = [...RARE, 'address' as const].some((claim) => profile?.[claim] !== undefined)
  return (
    <details open={isGiven} className="open-on-problem rounded-control border border-line px-4">
      <summary className="min-h-11 cursor-pointer content-center font-semibold">
        {claims.more}
      </summary>
      <div className="grid gap-7 pt-1 pb-5">
        <p className="text-muted text-small">{claims.moreText}</p>
        <Group legend={claims.person}>
          <Claim profile={profile} claim="middle_name" />
          <Claim profile={profile} claim="nickname" />
          <Claim profile={profile} claim="gender" />
          <Claim profile={profile} claim="birthdate" hint={claims.birthdateHint} />
          <Known profile={profile} claim="locale" what="language" hint={claims.localeHint} />
          <Known profile={profile} claim="zoneinfo" what="timeZone" hint={claims.zoneinfoHint} />
        </Group>
        <Group legend={claims.web}>
          <Claim profile={profile} claim="profile" />
          <Claim profile={profile} claim="website" />
          <div className="sm:col-span-2">
            <Claim profile={profile} claim="picture" hint={claims.pictureHint} />
          </div>
        </Group>
        <AddressClaim address={profile?.address} />
      </div>
    </details>
  )
}

async function AddressClaim({ address }: { address: Profile['address'] }) {
  const { claims } = (await currentMessages()).admin.users
  const words = await comboboxWords()
  const [street, ...rest] = ADDRESS_MEMBERS.filter((member) => member !== 'formatted')
  const area = (member: AddressMember, hint?: string) => (
    <div className="sm:col-span-2">
      <TextArea
        name={addressField(member)}
        label={claims[member]}
        hint={hint}
        rows={2}
        defaultValue={address?.[member] ?? ''}
      />
    </div>
  )
  return (
    <Group legend={claims.address}>
      {street && area(street)}
      {rest.map((member) =>
        member === 'country' ? (
          <ChooseInput
            key={member}
            name={addressField(member)}
            label={claims[member]}
            source={{ from: 'browser', what: 'region' }}
            words={words}
            value={address?.country ?? ''}
          />
        ) : (
          <TextInput
            key={member}
            name={addressField(member)}
            label={claims[member]}
            defaultValue={address?.[member] ?? ''}
          />
        ),
      )}
      {area('formatted', claims.formattedHint)}
    </Group>
  )
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-3 font-semibold text-lead">{legend}</legend>
      <div className={pairs}>{children}</div>
    </fieldset>
  )
}
