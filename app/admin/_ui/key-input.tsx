'use client'

import { type ComponentProps, useEffect, useRef } from 'react'
import { keyFrom } from '@/lib/base/key-from'
import { TextInput } from './form'

/**
 * The key of something new: made of its name while one types, until somebody writes another. An
 * empty one is made of the name by the action; see `newKeyIn`.
 */
export function KeyInput(field: ComponentProps<typeof TextInput>) {
  const around = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const own = around.current?.querySelector('input')
    const name = own?.form?.elements.namedItem('name')
    if (!own || !(name instanceof HTMLInputElement)) return
    let follows = own.value === '' || own.value === keyFrom(name.value)
    const follow = () => {
      if (follows) own.value = keyFrom(name.value)
    }
    const decide = () => {
      follows = own.value === ''
    }
    follow() // whoever is quick has typed before the script came
    name.addEventListener('input', follow)
    own.addEventListener('input', decide)
    return () => {
      name.removeEventListener('input', follow)
      own.removeEventListener('input', decide)
    }
  })
  return (
    <div ref={around}>
      <TextInput {...field} />
    </div>
  )
}
