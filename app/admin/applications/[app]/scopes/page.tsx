import { comboboxWords } from '@/app/_ui/combobox-words'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import { getApplicationGrants } from '@/lib/api/applications/grants'
import { currentMessages } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { TOKEN_EXCHANGE } from '@/lib/oidc/grants/token-exchange'
import { patternSource, searchSource } from '../../../_ui/choose'
import { ChooseInput } from '../../../_ui/choose-input'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { TermsFields } from '../../../_ui/terms-fields'
import { AppFrame, readApp, tabTitle } from '../../app-frame'
import { saveGrant } from './actions'
import { Finder } from './finder'
import { HeldGrants } from './held'
import type { ApplicationGrants, Grant } from './holding'

export const generateMetadata = tabTitle('scopes')

export default async function ScopesPage({ params, searchParams }: PageProps<'app'>) {
  const api = await adminPage('/admin/applications/[app]/scopes')
  const { body: app } = await readApp(api, (await params).app)
  const { done, q, edit } = await searchParams
  const { scopes: words } = (await currentMessages()).admin.applications
  const held = await api.read(getApplicationGrants, { params: { id: app.id } })
  const { grants } = held.body
  const holding = { api, app, grants, version: held.version ?? '' }
  const edited = grants.find(({ id }) => id === edit)
  const mayWrite = api.may('applications:write')
  return (
    <AppFrame api={api} app={app} tab="scopes" intro={words.intro} done={done}>
      {mayWrite && edited && <GrantForm {...holding} of={edited} />}
      <HeldGrants {...holding} />
      {mayWrite && !edited && (
        <>
          <Finder {...holding} q={typeof q === 'string' ? q : ''} />
          <GrantForm {...holding} />
        </>
      )}
    </AppFrame>
  )
}

async function GrantForm({ api, app, version, of }: ApplicationGrants & { of?: Grant }) {
  const { scopes: words } = (await currentMessages()).admin.applications
  const exchanges = app.grantTypes.includes(TOKEN_EXCHANGE) || Boolean(of?.exchangeFrom)
  return (
    <Section title={of ? words.editTitle : words.addPattern}>
      <div className="max-w-[46rem]">
        <AdminForm
          action={saveGrant}
          words={await formWords(of ? 'save' : 'create')}
          hidden={{ id: app.id, version, grant: of?.id ?? '' }}
        >
          <ChooseInput
            name="pattern"
            label={words.pattern}
            hint={words.patternHint}
            placeholder="orders:*"
            source={await patternSource(api)}
            words={await comboboxWords()}
            value={of?.pattern ?? ''}
          />
          {exchanges && (
            <ChooseInput
              name="exchangeFrom"
              label={words.exchangeFrom}
              hint={words.exchangeFromHint}
              source={searchSource('application')}
              words={await comboboxWords()}
              value={of?.exchangeFrom ?? ''}
            />
          )}
          <TermsFields {...(of && { terms: of })} />
        </AdminForm>
      </div>
    </Section>
  )
}
