/** A text and the names of its placeholders: `Hello, {name}` is a `Text<'name'>`. */
export type Text<Name extends string = never> = string & { readonly [placeholders]: Name }

declare const placeholders: unique symbol

/** The placeholder names in a sentence. `{"keys": []}` and a brace that stands alone are none. */
type NamesIn<Sentence extends string> = Sentence extends `${string}{${infer After}`
  ? After extends `${infer Name}}${infer Rest}`
    ? Name extends `${string}${' ' | '"' | '{'}${string}`
      ? NamesIn<After>
      : Name | NamesIn<Rest>
    : never
  : never

/** The same for a text of a dictionary, whose sentence is not part of its type. */
export type NamesOf<Message extends string> =
  Message extends Text<infer Name> ? Name : NamesIn<Message>

export type Values<Message extends string> = [NamesOf<Message>] extends [never]
  ? Record<string, never>
  : { readonly [Name in NamesOf<Message>]: string }
