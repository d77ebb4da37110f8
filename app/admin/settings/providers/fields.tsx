import type { ProviderWire } from '@/lib/api/settings-wire'
import type { Messages } from '@/lib/i18n'
import { Select, TextArea, TextInput } from '../../_ui/form'

type Props = { words: Messages['admin']['settings']['providers']; provider?: ProviderWire }

/** Every kind's own field is there, and says whose it is: it needs no script. */
export function ProviderFields({ words, provider }: Props) {
  return (
    <>
      {!provider && (
        <Select
          name="kind"
          label={words.kind}
          defaultValue="oidc"
          options={Object.entries(words.kinds)}
        />
      )}
      {!provider && <TextInput name="id" label={words.id} hint={words.idHint} />}
      <TextInput name="name" label={words.name} defaultValue={provider?.name} />
      {isFor(provider, 'oidc') && (
        <TextInput
          name="issuer"
          type="url"
          label={words.issuer}
          hint={words.issuerHint}
          defaultValue={provider?.issuer}
        />
      )}
      {isFor(provider, 'github') && (
        <TextInput
          name="url"
          type="url"
          label={words.url}
          hint={words.urlHint}
          defaultValue={provider?.url}
        />
      )}
      {isFor(provider, 'microsoft') && (
        <TextInput
          name="tenant"
          label={words.tenant}
          hint={words.tenantHint}
          defaultValue={provider?.tenant}
        />
      )}
      <TextInput name="clientId" label={words.clientId} defaultValue={provider?.clientId} />
      <TextInput
        name="clientSecret"
        type="password"
        autoComplete="new-password"
        label={words.clientSecret}
        hint={provider?.secretSet ? words.secretKept : words.secretHint}
      />
      <TextArea
        name="domains"
        label={words.domains}
        hint={words.domainsHint}
        defaultValue={provider?.domains.join('\n')}
      />
    </>
  )
}

function isFor(provider: ProviderWire | undefined, kind: ProviderWire['kind']): boolean {
  return !provider || provider.kind === kind
}
