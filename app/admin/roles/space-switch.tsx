import { buttonClass } from '@/app/_ui/button'
import { QuietLink } from '@/app/_ui/quiet-link'
import type { SpaceWire } from '@/lib/api/permissions/spaces'
import { currentMessages } from '@/lib/browser/locale'

type Props = { spaces: readonly SpaceWire[]; current: SpaceWire }

/** Which space is shown is in the address. */
export async function SpaceSwitch({ spaces, current }: Props) {
  const { spaces: words } = (await currentMessages()).admin
  return (
    <div className="flex flex-wrap items-end gap-x-5 gap-y-2">
      <form action="/admin/roles" className="flex flex-wrap items-end gap-2">
        <label className="grid gap-1 text-small">
          <span className="text-muted">{words.switch}</span>
          <select
            name="space"
            defaultValue={current.key}
            className="min-h-10 max-w-72 rounded-control border border-edge bg-raised px-3 text-body text-ink hover:border-ink"
          >
            {spaces.map(({ id, key, name }) => (
              <option key={id} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className={`${buttonClass('quiet')} min-h-10! py-1!`}>
          {words.show}
        </button>
      </form>
      <QuietLink href={`/admin/roles/spaces/${current.id}`}>{words.manage}</QuietLink>
      <QuietLink href="/admin/roles/spaces">{words.all}</QuietLink>
    </div>
  )
}
