import { Section } from '@/app/_ui/section'
import { type AdminApi, adminPage } from '@/lib/admin/api'
import {
  foreseeSigningKeyRevocation,
  type RevocationWire,
  type SigningKeyWire,
} from '@/lib/api/settings/signing-keys'
import { currentLocale, currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { fill } from '@/lib/i18n/fill'
import { numberFormat } from '@/lib/i18n/formats'
import { DangerZone } from '../../_ui/danger'
import { Fact, Facts } from '../../_ui/facts'
import { AdminForm, TextInput } from '../../_ui/form'
import { AdminFrame } from '../../_ui/frame'
import { Moment } from '../../_ui/moment'
import { revokeKey } from '../actions'
import { KeyState } from '../key-state'
import { shortKid } from '../short-kid'

export const generateMetadata = pageTitle(({ admin }) => admin.keys.title)

export default async function KeyPage({ params }: PageProps<'kid'>) {
  const api = await adminPage('/admin/keys/[kid]')
  const { kid } = await params
  const { keys: words } = (await currentMessages()).admin
  const revocation = await api.get(foreseeSigningKeyRevocation, { params: { kid } })
  const { key } = revocation
  return (
    <AdminFrame
      api={api}
      page="/admin/keys"
      title={fill(words.one.title, { kid: shortKid(key.kid) })}
      above={{ href: '/admin/keys', label: words.title }}
    >
      <Known signingKey={key} />
      {key.state === 'revoked' ? (
        <p>{words.revoke.gone}</p>
      ) : (
        <>
          <Consequences api={api} revocation={revocation} />
          {api.may('signing-keys:write') && <Revoke {...key} />}
        </>
      )}
    </AdminFrame>
  )
}

async function Known({ signingKey: key }: { signingKey: SigningKeyWire }) {
  const { one: words } = (await currentMessages()).admin.keys
  return (
    <Section title={words.facts}>
      <Facts>
        <Fact term={words.id} copy={key.kid}>
          {key.kid}
        </Fact>
        <Fact term={words.algorithm}>{key.alg}</Fact>
        <Fact term={words.state}>
          <KeyState state={key.state} />
        </Fact>
        <Fact term={words.created}>
          <Moment at={key.createdAt} />
        </Fact>
        <Fact term={words.signsFrom}>
          <Moment at={key.activatesAt} />
        </Fact>
        {key.retiredAt && (
          <Fact term={words.signsUntil}>
            <Moment at={key.retiredAt} />
          </Fact>
        )}
        {key.removedAt && (
          <Fact term={words.removed}>
            <Moment at={key.removedAt} />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}

type ConsequencesProps = { api: AdminApi; revocation: RevocationWire }

async function Consequences({ api, revocation }: ConsequencesProps) {
  const { warns, consequences, tokens, applications } = revocation
  const { revoke: words } = (await currentMessages()).admin.keys
  const count = numberFormat(await currentLocale()).format(tokens.count)
  const values = { tokens: tokens.capped ? `${count}+` : count }
  return (
    <Section title={words.whatHappens} {...(warns && { text: words.warns })}>
      <ul className="grid list-disc gap-1.5 ps-5">
        {consequences.map((code) => (
          <li key={code}>{fill(words.consequences[code], values)}</li>
        ))}
      </ul>
      {applications.length > 0 && (
        <details>
          <summary className="flex min-h-9 w-fit cursor-pointer items-center text-link">
            {words.applications} ({applications.length})
          </summary>
          <ul className="mt-2 flex flex-wrap gap-x-5 gap-y-1">
            {applications.map(({ id, name }) => (
              <li key={id}>
                {api.may('applications:read') ? (
                  <a className="text-link" href={`/admin/applications/${encodeURIComponent(id)}`}>
                    {name}
                  </a>
                ) : (
                  name
                )}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

async function Revoke({ kid }: SigningKeyWire) {
  const { admin, common } = await currentMessages()
  const { revoke: words } = admin.keys
  const form = { submit: words.submit, busy: words.busy, problem: common.problem }
  return (
    <DangerZone title={words.title} summary={words.summary} text={words.text}>
      <AdminForm action={revokeKey} words={form} hidden={{ kid }}>
        <TextInput name="typed" label={fill(words.type, { kid: shortKid(kid) })} />
      </AdminForm>
    </DangerZone>
  )
}
