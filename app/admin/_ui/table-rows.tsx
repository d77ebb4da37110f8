'use client'

import type { ReactNode } from 'react'
import { fillUnchecked } from '@/lib/i18n/fill'

export type TableRow = {
  key: string
  /** What the row is called where it can be selected. */
  name?: string
  href?: string
  cells: readonly ReactNode[]
}

type Props = {
  rows: readonly TableRow[]
  labels: readonly string[]
  /** What a check box of a row says; absent: there is none. */
  select: string | undefined
}

/**
 * Of a table with hundreds of cells only what stands in them is data of the page. Without classes:
 * see `rows` in globals.css.
 */
export function TableRows({ rows, labels, select }: Props) {
  return (
    <tbody className="rows">
      {rows.map(({ key, name = '', href, cells: [first, ...others] }) => (
        <tr key={key}>
          {select !== undefined && (
            <td data-select>
              {/* The whole square can be pressed. */}
              <label>
                <input
                  type="checkbox"
                  name="id"
                  value={key}
                  aria-label={fillUnchecked(select, { name })}
                />
              </label>
            </td>
          )}
          <td>
            {href === undefined ? (
              <span>{first}</span>
            ) : (
              <a href={href} data-row>
                {first}
              </a>
            )}
          </td>
          {others.map((cell, at) => (
            <td key={labels[at + 1]} data-label={labels[at + 1]}>
              <span>{cell}</span>
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}
