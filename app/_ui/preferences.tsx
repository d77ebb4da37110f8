'use client'

/** Of what one is chosen. The text of a language is in that language. */
export type Choices = {
  name: 'locale' | 'theme' | 'times'
  legend: string
  chosen: string
  options: readonly (readonly [value: string, text: string])[]
  returnTo: string
  /** On the button of a list; without it, each choice is a button. */
  change?: string
}

/** Language and appearance: plain forms, so that they need no script. */
export function Preferences({ choices }: { choices: readonly Choices[] }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 text-small">
      {choices.map((one) => (
        <form
          key={one.name}
          method="post"
          action="/preferences"
          aria-label={one.legend}
          data-preference={one.name}
        >
          <input type="hidden" name="returnTo" value={one.returnTo} />
          <div className="flex flex-wrap items-center gap-1">
            {one.change === undefined ? <Buttons {...one} /> : <List {...one} />}
          </div>
        </form>
      ))}
    </div>
  )
}

function List({ name, legend, chosen, options, change }: Choices) {
  return (
    <>
      <select
        name={name}
        aria-label={legend}
        defaultValue={chosen}
        autoComplete="off"
        className="min-h-9 rounded-control border border-edge bg-raised px-2 text-ink"
      >
        {options.map(([value, text]) => (
          <option key={value} value={value} lang={value}>
            {text}
          </option>
        ))}
      </select>
      <button type="submit" className="preference">
        {change}
      </button>
    </>
  )
}

function Buttons({ name, chosen, options }: Choices) {
  return options.map(([value, text]) => (
    <button
      key={value}
      type="submit"
      name={name}
      value={value}
      aria-pressed={value === chosen}
      className="preference"
    >
      {text}
    </button>
  ))
}
