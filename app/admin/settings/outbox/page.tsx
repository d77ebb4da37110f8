import { Section } from '@/app/_ui/section'
import { adminPage, withQuery } from '@/lib/admin/api'
import { askedOf } from '@/lib/admin/list'
import {
  listOutboxMessages,
  MESSAGE_STATES,
  OUTBOX_KINDS,
} from '@/lib/api/delivery/outbox-messages'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { choices } from '@/lib/i18n/choices'
import { Pages } from '../../_ui/pages'
import { TableSearch } from '../../_ui/table-search'
import { SettingsFrame } from '../settings-frame'
import { OutboxMessage } from './message'

const PATH = '/admin/settings/outbox'

export const generateMetadata = pageTitle(({ admin }) => admin.outbox.title)

export default async function OutboxPage({ searchParams }: PageProps) {
  const api = await adminPage(PATH)
  const params = await searchParams
  const asked = askedOf(params, ['kind', 'state'])
  const { outbox: words, table } = (await currentMessages()).admin
  const { data, page } = await api.get(listOutboxMessages, { query: { ...asked, limit: 20 } })
  const isFiltered = Object.keys(asked).length > 0
  return (
    <SettingsFrame api={api} part="outbox" done={params.done}>
      <Section title={words.title} text={words.text}>
        {(data.length > 0 || isFiltered) && (
          <TableSearch
            path={PATH}
            asked={asked}
            searchable={false}
            columns={[]}
            filters={[
              { name: 'kind', label: words.kind, options: choices(OUTBOX_KINDS, words.kinds) },
              { name: 'state', label: words.state, options: choices(MESSAGE_STATES, words.states) },
            ]}
          />
        )}
        {data.length === 0 ? (
          <p className="py-4 text-muted">{isFiltered ? table.none : words.empty}</p>
        ) : (
          <ul className="grid divide-y divide-line border-line border-t">
            {data.map((message) => (
              <OutboxMessage
                key={message.id}
                message={message}
                asked={asked}
                mayWrite={api.may('outbox:write')}
              />
            ))}
          </ul>
        )}
        <Pages page={page} hrefOf={(cursor) => withQuery(PATH, { ...asked, cursor })} />
      </Section>
    </SettingsFrame>
  )
}
