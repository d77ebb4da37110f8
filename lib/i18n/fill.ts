import type { Values } from './text'

/** Puts values into a message: `fill('Hello, {name}', { name })`. It wants exactly its placeholders. */
export function fill<Message extends string>(message: Message, values: Values<Message>): string {
  return fillUnchecked(message, values)
}

/** For values that arrive as data, whose names the compiler cannot know. */
export function fillUnchecked(message: string, values: Readonly<Record<string, string>>): string {
  return message.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  )
}
