import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import type { AdminApi } from '@/lib/admin/api'
import type { ApplicationWire } from '@/lib/api/applications/applications'
import {
  listApplicationPublicKeys,
  type PublicKeyWire,
} from '@/lib/api/applications/public-key-uses'
import { currentMessages } from '@/lib/browser/locale'
import { Fact, Facts } from '../../../_ui/facts'
import { LastUse } from './states'

type Props = { api: AdminApi; app: ApplicationWire }

/** The keys by which a client assertion is verified (RFC 7523); there is nothing to hide in them. */
export async function PublicKeys({ api, app }: Props) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const { data } = await api.get(listApplicationPublicKeys, { params: { id: app.id } })
  const keys = data.filter(({ registered }) => registered || app.jwksUri !== null)
  return (
    <Section
      title={words.publicKeys}
      text={words.publicKeysText}
      aside={
        api.may('applications:write') && (
          <QuietLink href={`/admin/applications/${encodeURIComponent(app.id)}/settings`}>
            {words.publicKeysEdit}
          </QuietLink>
        )
      }
    >
      {app.jwksUri !== null && (
        <p>
          {words.publicKeysAt} <code className="code">{app.jwksUri}</code>
        </p>
      )}
      {app.jwksUri === null && keys.length === 0 && (
        <p className="text-danger">{words.publicKeysNone}</p>
      )}
      {keys.length > 0 && (
        <ul className="grid divide-y divide-line border-line border-t">
          {keys.map((key) => (
            <PublicKey key={key.thumbprint} publicKey={key} />
          ))}
        </ul>
      )}
    </Section>
  )
}

async function PublicKey({ publicKey }: { publicKey: PublicKeyWire }) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const { kid, type, thumbprint } = publicKey
  return (
    <li className="grid gap-2 py-4">
      <h3 className="font-semibold [overflow-wrap:anywhere]">{kid ?? words.unnamedKey}</h3>
      <p className="text-muted text-small">
        <LastUse {...publicKey} />
      </p>
      <Facts>
        {kid !== null && (
          <Fact term={words.kid} copy={kid}>
            {kid}
          </Fact>
        )}
        {type !== null && <Fact term={words.alg}>{type}</Fact>}
        <Fact term={words.thumbprint} copy={thumbprint}>
          {thumbprint}
        </Fact>
      </Facts>
    </li>
  )
}
