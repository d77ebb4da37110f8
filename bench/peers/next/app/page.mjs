import { createElement as h } from 'react'

export const dynamic = 'force-dynamic'

export default function Page() {
  return h(
    'form',
    { method: 'post' },
    h('label', null, 'Email address ', h('input', { name: 'identifier' })),
    h('button', { type: 'submit' }, 'Continue'),
  )
}
