import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Removal } from '@/app/_ui/removal'
import { Section } from '@/app/_ui/section'
import { worded } from '@/app/_ui/worded'
import type { AdminApi } from '@/lib/admin/api'
import {
  type InitialTokenWire,
  listInitialTokens,
} from '@/lib/api/registration/initial-access-tokens'
import { currentMessages } from '@/lib/browser/locale'
import { choices } from '@/lib/i18n/choices'
import { fill } from '@/lib/i18n/fill'
import { op } from '@/lib/op'
import { AdminForm, Select, TextInput } from '../../_ui/form'
import { formWords } from '../../_ui/form-words'
import {
  CredentialStateBadge,
  credentialState,
  Ending,
} from '../../applications/[app]/credentials/states'
import { onceWords } from '../../applications/once'
import { ShownOnce } from '../../applications/shown-once'
import { createToken, revokeToken } from './actions'

type Props = { api: AdminApi; mayWrite: boolean }

const DAYS = ['1', '7', '30', '90'] as const
const SHOWN = 200

/** With one of these, somebody else's application registers itself. */
export async function InitialTokens({ api, mayWrite }: Props) {
  const { registration: words } = (await currentMessages()).admin
  const query = { sort: '-createdAt', limit: SHOWN } as const
  const { data } = await api.get(listInitialTokens, { query })
  return (
    <Section title={words.tokens} text={words.tokensText} id="tokens">
      {data.length === 0 && <p className="text-muted">{words.noTokens}</p>}
      {data.length > 0 && (
        <ul className="grid divide-y divide-line border-line border-t">
          {data.map((token) => (
            <Token key={token.id} token={token} mayWrite={mayWrite} />
          ))}
        </ul>
      )}
      {mayWrite && <NewToken />}
    </Section>
  )
}

type RowProps = { token: InitialTokenWire; mayWrite: boolean }

async function Token({ token, mayWrite }: RowProps) {
  const { registration: words } = (await currentMessages()).admin
  const { now } = await op()
  const { id, name, hint, uses, mostUses, expiresAt, revokedAt } = token
  const dated = { expiresAt, stopped: revokedAt !== null }
  const isOver = uses >= mostUses || credentialState(dated, now()) === 'over'
  const used = fill(words.uses, { uses: String(uses), most: String(mostUses) })
  return (
    <li className="grid gap-2 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="font-semibold [overflow-wrap:anywhere]">{name}</h3>
        <CredentialStateBadge state={isOver ? 'over' : 'live'} />
        <code className="code text-muted">{`ghit_…${hint}`}</code>
      </div>
      <p className="flex flex-wrap gap-x-5 text-muted text-small">
        <span>{used}</span>
        <span>
          <Ending {...dated} />
        </span>
      </p>
      {mayWrite && !isOver && <Revoke id={id} name={name} />}
    </li>
  )
}

async function Revoke({ id, name }: { id: string; name: string }) {
  const { registration: words } = (await currentMessages()).admin
  const label = fill(words.revokeNamed, { name })
  return (
    <Removal summary={words.revoke} label={label} text={words.revokeText}>
      <form action={revokeToken}>
        <input type="hidden" name="id" value={id} />
        <QuietSubmit label={label} busyLabel={words.revoking} />
      </form>
    </Removal>
  )
}

async function NewToken() {
  const { registration: words } = (await currentMessages()).admin
  return (
    <div className="rounded-control border border-edge bg-paper px-4 py-5 sm:px-5">
      <AdminForm
        action={createToken}
        words={{ ...(await formWords('create')), submit: words.newToken }}
        made={<ShownOnce words={await onceWords()} />}
        quiet
      >
        <h3 className="font-semibold text-lead">{words.newToken}</h3>
        <TextInput name="tokenName" label={words.tokenName} hint={words.tokenNameHint} />
        <div className="field-row">
          <TextInput
            {...worded(words, 'mostUses')}
            type="number"
            defaultValue="1"
            min={1}
            max={10_000}
          />
          <Select
            name="expiry"
            label={words.expiry}
            defaultValue="7"
            options={choices(DAYS, words.days)}
          />
        </div>
      </AdminForm>
    </div>
  )
}
