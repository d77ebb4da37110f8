'use client'

import { type ReactNode, useActionState } from 'react'
import type { DetectedChoice } from '@/app/_ui/choices-found'
import { Combobox, type ComboboxWords } from '@/app/_ui/combobox'
import { ErrorSummary, type Problem } from '@/app/_ui/error-summary'
import { Field } from '@/app/_ui/field'
import { QuietLink } from '@/app/_ui/quiet-link'
import { SubmitButton } from '@/app/_ui/submit-button'
import { TextField } from '@/app/_ui/text-field'
import type { OwnProfile, ProfileField } from '@/lib/accounts/profile'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { changeProfile, type ProfileState } from './actions'

type Words = Messages['account']['profile']
type Props = {
  profile: OwnProfile
  words: Words
  save: string
  saving: string
  common: Messages['common']
  choose: ComboboxWords
}

export function ProfileForm({ profile, words, save, saving, common, choose }: Props) {
  const [state, action] = useActionState<ProfileState, FormData>(changeProfile, {})
  const values = state.fields ?? profile.fields
  const problems = problemsOf(state, words)
  const field = (name: ProfileField, autoComplete: string, hint?: string) => (
    <TextField
      name={name}
      label={words[name]}
      hint={hint}
      error={problems.find((problem) => problem.field === name)?.text}
      defaultValue={values[name]}
      autoComplete={autoComplete}
    />
  )

  const known = (
    name: 'locale' | 'zoneinfo' | 'country',
    what: DetectedChoice,
    autoComplete: string,
    hint?: string,
  ) => {
    const error = problems.find((problem) => problem.field === name)?.text
    const fieldWords = { name, label: words[name], hint, error }
    return (
      <Field words={fieldWords}>
        <Combobox
          {...fieldWords}
          source={{ from: 'browser', what }}
          words={choose}
          value={values[name]}
          autoComplete={autoComplete}
        />
      </Field>
    )
  }

  return (
    <form action={action} noValidate className="grid gap-10">
      {problems.length > 0 && <ErrorSummary title={common.problem} problems={problems} />}
      <Group legend={words.you}>
        <div className="sm:col-span-2">{field('name', 'name')}</div>
        {field('given_name', 'given-name')}
        {field('family_name', 'family-name')}
        {field('nickname', 'nickname')}
        {field('website', 'url')}
        <Email profile={profile} words={words} />
        <Username profile={profile} words={words} />
      </Group>
      <Group legend={words.place}>
        {known('locale', 'language', 'language', words.localeHint)}
        {known('zoneinfo', 'timeZone', 'off', words.zoneinfoHint)}
      </Group>
      <Group legend={words.contact}>
        <div className="sm:col-span-2">{field('phone_number', 'tel', words.phoneHint)}</div>
        <div className="sm:col-span-2">{field('street_address', 'street-address')}</div>
        {field('postal_code', 'postal-code')}
        {field('locality', 'address-level2')}
        {field('region', 'address-level1')}
        {known('country', 'region', 'country-name')}
      </Group>
      <div>
        <SubmitButton label={save} busyLabel={saving} />
      </div>
    </form>
  )
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-4 text-lead font-semibold">{legend}</legend>
      <div className="grid items-end gap-x-6 gap-y-5 sm:grid-cols-2">{children}</div>
    </fieldset>
  )
}

function Email({ profile, words }: { profile: OwnProfile; words: Words }) {
  const { email, emailVerified } = profile
  const state = emailVerified ? words.emailVerified : words.emailUnverified
  return (
    <dl className="grid gap-0.5 sm:col-span-2">
      <dt className="font-semibold">{words.email}</dt>
      <dd className="[overflow-wrap:anywhere]">
        {email ?? words.emailNone} {email !== null && <span className="text-muted">({state})</span>}
      </dd>
      <dd className="text-muted text-small">{words.emailHint}</dd>
      <dd className="flex flex-wrap gap-x-6">
        {email !== null && !emailVerified && (
          <QuietLink href="/verify?returnTo=%2Faccount">{words.emailVerify}</QuietLink>
        )}
        <QuietLink href="/account/email">
          {email === null ? words.emailAdd : words.emailChange}
        </QuietLink>
      </dd>
    </dl>
  )
}

/** Only an admin changes it: applications know people by it. */
function Username({ profile: { username }, words }: { profile: OwnProfile; words: Words }) {
  if (username === null) return null
  return (
    <dl className="grid gap-0.5 sm:col-span-2">
      <dt className="font-semibold">{words.username}</dt>
      <dd className="[overflow-wrap:anywhere]">{username}</dd>
      <dd className="text-muted text-small">{words.usernameHint}</dd>
    </dl>
  )
}

function problemsOf({ problems = [] }: ProfileState, words: Words): Problem[] {
  if (problems === 'conflict') return [{ text: words.problems.conflict }]
  return problems.map(({ field, problem }) => ({
    field,
    text: fill(words.problems[problem], { field: words[field] }),
  }))
}
