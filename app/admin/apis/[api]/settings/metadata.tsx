import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import type { AdminApi } from '@/lib/admin/api'
import { getResourceMetadata } from '@/lib/api/permissions/resource-metadata'
import type { ResourceWire } from '@/lib/api/permissions/resources'
import { currentMessages } from '@/lib/browser/locale'
import { Fact, Facts } from '../../../_ui/facts'
import { AdminForm, Check, TextInput } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { JsonBlock } from '../../../_ui/json-block'
import { saveMetadata } from '../../actions'

type Props = {
  api: AdminApi
  resource: ResourceWire
  /** Null for users who may only read it. */
  hidden: Record<string, string> | null
}

/** Protected resource metadata: the document, who serves it, and the challenges of the API. */
export async function ForClients({ api, resource, hidden }: Props) {
  const { apis: words } = (await currentMessages()).admin
  const { document, published, wellKnown, challenge, scopeChallenge } = await api.get(
    getResourceMetadata,
    { params: { id: resource.id } },
  )
  const facts = [
    [words.servedAt, published],
    [words.ownPlace, published === null ? wellKnown : null],
    [words.challenge, challenge],
    [words.scopeChallenge, scopeChallenge],
  ] as const
  return (
    <Section title={words.metadataTitle} text={words.metadataText}>
      <Facts>
        {facts.map(([term, value]) =>
          value === null ? null : (
            <Fact key={term} term={term} copy={value}>
              {value}
            </Fact>
          ),
        )}
      </Facts>
      <JsonBlock label={words.document} value={document} />
      {hidden && (
        <div className="max-w-[38rem]">
          <AdminForm action={saveMetadata} words={await formWords('save')} hidden={hidden}>
            <Check
              {...worded(words, 'publish', 'publishMetadata')}
              checked={resource.publishMetadata}
            />
            <TextInput
              {...worded(words, 'documentation')}
              type="url"
              defaultValue={resource.documentation ?? ''}
            />
          </AdminForm>
        </div>
      )}
    </Section>
  )
}
