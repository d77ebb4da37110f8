import { notFound } from 'next/navigation'
import { QuietLink } from '@/app/_ui/quiet-link'
import { adminPage, withQuery } from '@/lib/admin/api'
import { listAssertions } from '@/lib/api/permissions/assertions'
import { currentMessages, pageTitle } from '@/lib/browser/locale'
import type { PageProps } from '@/lib/browser/page-props'
import { DangerZone } from '../../../_ui/danger'
import { AdminForm } from '../../../_ui/form'
import { formWords } from '../../../_ui/form-words'
import { AdminFrame } from '../../../_ui/frame'
import { deleteAssertion, saveAssertion } from '../actions'
import { AssertionFields } from '../fields'
import { chosenSpace, spacesOf } from '../spaces'

export const generateMetadata = pageTitle(({ admin }) => admin.access.assertions.editTitle)

export default async function AssertionPage({ params, searchParams }: PageProps<'assertion'>) {
  const api = await adminPage('/admin/reports/assertions/[assertion]')
  const { assertion: id } = await params
  const space = chosenSpace(await spacesOf(api), (await searchParams).space)
  if (!space) notFound()
  const { body, version } = await api.read(listAssertions, { params: { space: space.id } })
  const assertion = body.assertions.find((one) => one.id === id)
  if (!assertion) notFound()
  const { access, form, governance } = (await currentMessages()).admin
  const { assertions: words } = access
  const back = withQuery('/admin/reports/assertions', { space: space.id })
  const hidden = { space: space.id, id, version: version ?? '' }
  return (
    <AdminFrame
      api={api}
      page="/admin/governance"
      title={words.editTitle}
      above={{ href: back, label: governance.parts.assertions }}
    >
      <div className="grid max-w-[38rem] gap-10">
        <AdminForm
          action={saveAssertion}
          words={await formWords('save')}
          hidden={hidden}
          aside={<QuietLink href={back}>{form.cancel}</QuietLink>}
        >
          <AssertionFields api={api} assertion={assertion} />
        </AdminForm>
        <DangerZone title={words.dangerTitle} summary={words.dangerSummary} text={words.danger}>
          <AdminForm action={deleteAssertion} words={await formWords('delete')} hidden={hidden} />
        </DangerZone>
      </div>
    </AdminFrame>
  )
}
