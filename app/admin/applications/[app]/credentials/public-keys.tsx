import { calculateJwkThumbprint, type JWK } from 'jose'
import { QuietLink } from '@/app/_ui/quiet-link'
import { Section } from '@/app/_ui/section'
import type { ApplicationWire } from '@/lib/api/routes/applications'
import { currentMessages } from '@/lib/browser/locale'
import { Fact, Facts } from '../../../_ui/facts'

type Props = { app: ApplicationWire; mayWrite: boolean }

/** The keys by which a client assertion is verified (RFC 7523); there is nothing to hide in them. */
export async function PublicKeys({ app, mayWrite }: Props) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const keys = (app.jwks?.keys ?? []) as JWK[] // parsed by the API
  return (
    <Section
      title={words.publicKeys}
      text={words.publicKeysText}
      aside={
        mayWrite && (
          <QuietLink href={`/admin/applications/${app.id}/settings`}>
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
            <PublicKey key={JSON.stringify(key)} jwk={key} />
          ))}
        </ul>
      )}
    </Section>
  )
}

async function PublicKey({ jwk }: { jwk: JWK }) {
  const { credentials: words } = (await currentMessages()).admin.applications
  const thumbprint = await calculateJwkThumbprint(jwk) // RFC 7638
  return (
    <li className="grid gap-2 py-4">
      <h3 className="font-semibold [overflow-wrap:anywhere]">{jwk.kid ?? words.unnamedKey}</h3>
      <Facts>
        {jwk.kid !== undefined && (
          <Fact term={words.kid} copy={jwk.kid}>
            {jwk.kid}
          </Fact>
        )}
        <Fact term={words.alg}>{jwk.alg ?? [jwk.kty, jwk.crv].filter(Boolean).join(' ')}</Fact>
        <Fact term={words.thumbprint} copy={thumbprint}>
          {thumbprint}
        </Fact>
      </Facts>
    </li>
  )
}
