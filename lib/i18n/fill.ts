import type { Values } from './text'

/** Puts values into a message: `fill('Hello, {name}', { name })`. It wants exactly its placeholders. */
export function fill<Message extends string>(message: Message, values: Values<Message>): string {
  return fillUnchecked(message, values)
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
/** First strong isolate and its end (UAX 9): the value keeps its own direction, the sentence its. */
const ISOLATE = ['\u2068', '\u2069'] as const

/** For values that arrive as data, whose names the compiler cannot know. */
export function fillUnchecked(message: string, values: Readonly<Record<string, string>>): string {
  const [begin, end] = RIGHT_TO_LEFT.test(message) ? ISOLATE : ['', '']
  return message.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? begin + (values[name] ?? whole) + end : whole,
  )
}
