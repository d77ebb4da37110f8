import { Removal } from '@/app/_ui/removal'
import { Section } from '@/app/_ui/section'
import { adminPage } from '@/lib/admin/api'
import {
  type KeyScheduleWire,
  listSigningKeys,
  type SigningKeyWire,
} from '@/lib/api/settings/signing-keys'
import { currentClock, momentText } from '@/lib/browser/clock'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import type { Locale, Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import type { Clock } from '@/lib/i18n/moments'
import { plural } from '@/lib/i18n/plural'
import { AdminFrame } from '../_ui/frame'
import { CellMoment } from '../_ui/moment'
import { type Column, DataTable } from '../_ui/table'
import { rotateKey, stageKey } from './actions'
import { KeyForm } from './key-form'
import { KeyState } from './key-state'
import { shortKid } from './short-kid'
import { Timeline } from './timeline'

export const generateMetadata = pageTitle(({ admin }) => admin.keys.title)

type Words = Messages['admin']['keys']

export default async function KeysPage({ searchParams }: PageProps) {
  const api = await adminPage('/admin/keys')
  const { done } = await searchParams
  const { keys: words } = (await currentMessages()).admin
  const all = await api.get(listSigningKeys, {})
  return (
    <AdminFrame api={api} page="/admin/keys" title={words.title} intro={words.intro} done={done}>
      {all.schedule.map((schedule) => (
        <Algorithm
          key={schedule.alg}
          schedule={schedule}
          keys={all.data.filter(({ alg }) => alg === schedule.alg)}
          minutes={all.publishedForMinutes}
          mayWrite={api.may('signing-keys:write')}
        />
      ))}
    </AdminFrame>
  )
}

type AlgorithmProps = {
  schedule: KeyScheduleWire
  keys: readonly SigningKeyWire[]
  minutes: number
  mayWrite: boolean
}

async function Algorithm({ schedule, keys, minutes, mayWrite }: AlgorithmProps) {
  const { keys: words } = (await currentMessages()).admin
  const { alg } = schedule
  return (
    <Section title={alg} text={words.algorithms[alg]}>
      <Timeline alg={alg} keys={keys} schedule={schedule} />
      <p>{await scheduleText(words, schedule, minutes)}</p>
      {mayWrite && (schedule.staged ? <Rotate {...schedule} /> : <Stage alg={alg} />)}
      <DataTable
        path="/admin/keys"
        asked={{}}
        params={{}}
        list={{ data: [...keys], page: { next: null, previous: null, limit: keys.length } }}
        columns={columnsOf(words, keys, await currentClock())}
        keyOf={({ kid }) => kid}
        nameOf={({ kid }) => shortKid(kid)}
        hrefOf={({ kid }) => `/admin/keys/${encodeURIComponent(kid)}`}
        searchable={false}
        empty={null}
      />
    </Section>
  )
}

async function scheduleText(
  words: Words,
  { staged, stagesAt, activatesAt }: KeyScheduleWire,
  minutes: number,
): Promise<string> {
  const when = staged === null ? stagesAt : activatesAt
  if (when === null) return words.schedule.none
  const sentence = staged === null ? words.schedule.next : words.schedule.staged
  return fill(sentence, { date: await momentText(when), minutes: String(minutes) })
}

async function Stage({ alg }: { alg: string }) {
  const { admin, common } = await currentMessages()
  const { keys: words } = admin
  const form = { submit: words.stage, busy: words.staging, problem: common.problem }
  return <KeyForm action={stageKey} words={form} hidden={{ alg }} text={words.stageText} />
}

/** At once only where somebody has read what that means. */
async function Rotate({ alg, activatesAt }: KeyScheduleWire) {
  const { admin, common } = await currentMessages()
  const { keys: words } = admin
  const form = { submit: words.rotate, busy: words.rotating, problem: common.problem }
  const isEarly = activatesAt !== null && Date.parse(activatesAt) > Date.now()
  if (!isEarly) {
    return <KeyForm action={rotateKey} words={form} hidden={{ alg }} text={words.rotateText} />
  }
  return (
    <Removal summary={words.rotateEarly} text={words.rotateEarlyText}>
      <KeyForm action={rotateKey} words={form} hidden={{ alg, atOnce: 'yes' }} />
    </Removal>
  )
}

/** A column in which nothing stands is left out. */
function columnsOf(
  { table: words }: Words,
  keys: readonly SigningKeyWire[],
  { locale, zone }: Clock,
): Column<SigningKeyWire>[] {
  const columns: Column<SigningKeyWire>[] = [
    {
      id: 'key',
      label: words.key,
      cell: ({ kid }) => <code className="code whitespace-nowrap">{shortKid(kid)}…</code>,
    },
    { id: 'state', label: words.state, cell: ({ state }) => <KeyState state={state} /> },
    {
      id: 'from',
      label: fill(words.signsFrom, { zone }),
      cell: ({ activatesAt }) => <CellMoment at={activatesAt} />,
    },
    {
      id: 'until',
      label: fill(words.signsUntil, { zone }),
      cell: ({ retiredAt }) => retiredAt && <CellMoment at={retiredAt} />,
    },
    {
      id: 'removed',
      label: fill(words.removed, { zone }),
      cell: ({ removedAt }) => removedAt && <CellMoment at={removedAt} />,
    },
    { id: 'age', label: words.age, cell: (key) => ageOf(key, words, locale) },
  ]
  return columns.filter(({ cell }) => keys.some((key) => cell(key) !== null))
}

function ageOf(
  { state, ageDays }: SigningKeyWire,
  words: Words['table'],
  locale: Locale,
): string | null {
  if (state === 'staged') return null
  return ageDays === 0 ? words.today : plural(locale, words.days, ageDays)
}
