import { Fragment } from 'react'

/** What stands between backticks is code, and no language's words. */
export function Prose({ text }: { text: string }) {
  return text.split('`').map((part, at) => {
    const key = `${at} ${part}`
    if (at % 2 === 0) return <Fragment key={key}>{part}</Fragment>
    return (
      <code key={key} translate="no" className="code rounded-control bg-wash px-1 py-0.5">
        {part}
      </code>
    )
  })
}
