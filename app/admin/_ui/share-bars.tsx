import type { ReactNode } from 'react'
import { currentLocale } from '@/lib/browser/locale'
import { numberFormat } from '@/lib/i18n/formats'

type Line = { id: string; name: ReactNode; value: number }

/** A short list of amounts with a bar each: the numbers stand beside them, so it is its own table. */
export async function ShareBars({ label, lines }: { label: string; lines: readonly Line[] }) {
  const locale = await currentLocale()
  const most = Math.max(...lines.map(({ value }) => value))
  return (
    <table className="w-full border-collapse" aria-label={label}>
      <tbody>
        {lines.map(({ id, name, value }) => (
          <tr key={id} className="max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:pb-2">
            <th
              scope="row"
              className="py-1 pe-4 text-start font-normal [overflow-wrap:anywhere] sm:w-1/2"
            >
              {name}
            </th>
            <td className="py-1 max-sm:order-last max-sm:col-span-2 max-sm:p-0" aria-hidden="true">
              <svg
                viewBox="0 0 100 8"
                preserveAspectRatio="none"
                className="h-2.5 w-full"
                aria-hidden="true"
              >
                <rect width="100" height="8" className="fill-wash" />
                <rect width={(value / most) * 100} height="8" className="fill-accent" />
              </svg>
            </td>
            <td className="w-20 py-1 ps-4 text-end tabular-nums">
              {numberFormat(locale).format(value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
