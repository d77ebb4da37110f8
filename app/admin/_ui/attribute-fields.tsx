import { ATTRIBUTE_FIELD, attributeToText } from '@/lib/settings/attribute-text'
import type { UserAttribute } from '@/lib/settings/model'
import { Select, TextArea, TextInput } from './form'

type Words = { yes: string; no: string; listHint: string }
type Props = {
  defined: readonly UserAttribute[]
  values: Readonly<Record<string, unknown>>
  words: Words
}

/** A field of its type for each attribute that admins defined. */
export function AttributeFields({ defined, values, words }: Props) {
  return defined.map(({ key, name, type }) => {
    const field = {
      name: `${ATTRIBUTE_FIELD}${key}`,
      label: name,
      defaultValue: attributeToText(values[key]),
    }
    if (type === 'list') return <TextArea key={key} {...field} hint={words.listHint} />
    if (field.defaultValue.includes('\n')) return <TextArea key={key} {...field} />
    if (type === 'boolean') {
      const options = [
        ['', '–'],
        ['yes', words.yes],
        ['no', words.no],
      ] as const
      return <Select key={key} {...field} options={options} />
    }
    const inputs = type === 'number' ? ({ inputMode: 'decimal' } as const) : {}
    return <TextInput key={key} {...field} {...inputs} />
  })
}
