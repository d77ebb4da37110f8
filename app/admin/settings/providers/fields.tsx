import { worded } from '@/app/_ui/worded'
import type { ProviderWire } from '@/lib/api/settings/wire'
import type { Messages } from '@/lib/i18n'
import { choices } from '@/lib/i18n/choices'
import { PROVIDER_KINDS } from '@/lib/settings/providers'
import { Select, TextArea, TextInput } from '../../_ui/form'

type Props = { words: Messages['admin']['settings']['providers']; provider?: ProviderWire }

/** A kind's own field goes when another kind is chosen; it says whose it is, and needs no script. */
export function ProviderFields({ words, provider }: Props) {
  return (
    <div className="group grid gap-6">
      {!provider && (
        <Select
          name="kind"
          label={words.kind}
          defaultValue="oidc"
          options={choices(PROVIDER_KINDS, words.kinds)}
        />
      )}
      {!provider && <TextInput name="id" label={words.id} hint={words.idHint} />}
      <TextInput name="name" label={words.name} defaultValue={provider?.name} />
      {isFor(provider, 'oidc') && (
        <div className="group-has-[option[value=github]:checked]:hidden group-has-[option[value=google]:checked]:hidden group-has-[option[value=microsoft]:checked]:hidden">
          <TextInput
            name="issuer"
            type="url"
            label={words.issuer}
            hint={provider ? undefined : words.issuerHint}
            defaultValue={provider?.issuer}
          />
        </div>
      )}
      {isFor(provider, 'github') && (
        <div className="group-has-[option[value=oidc]:checked]:hidden group-has-[option[value=google]:checked]:hidden group-has-[option[value=microsoft]:checked]:hidden">
          <TextInput
            name="url"
            type="url"
            label={words.url}
            hint={provider ? undefined : words.urlHint}
            defaultValue={provider?.url}
          />
        </div>
      )}
      {isFor(provider, 'microsoft') && (
        <div className="group-has-[option[value=oidc]:checked]:hidden group-has-[option[value=github]:checked]:hidden group-has-[option[value=google]:checked]:hidden">
          <TextInput
            name="tenant"
            label={words.tenant}
            hint={provider ? undefined : words.tenantHint}
            defaultValue={provider?.tenant}
          />
        </div>
      )}
      <TextInput name="clientId" label={words.clientId} defaultValue={provider?.clientId} />
      <TextInput
        name="clientSecret"
        type="password"
        autoComplete="new-password"
        label={words.clientSecret}
        hint={provider?.secretSet ? words.secretKept : words.secretHint}
      />
      <TextArea {...worded(words, 'domains')} defaultValue={provider?.domains.join('\n')} />
    </div>
  )
}

function isFor(provider: ProviderWire | undefined, kind: ProviderWire['kind']): boolean {
  return !provider || provider.kind === kind
}
