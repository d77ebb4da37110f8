import { SIGN_IN_METHODS } from '../base/sign-in-methods'
import { type FormState, mistaken, valuesOf } from '../browser/api-form'
import { textOf } from '../browser/form'
import { currentMessages } from '../browser/locale'
import { locales } from '../i18n/locales'

/** What the forms for the look of the portal and of an application have in common. */

/** A language without a text is left out. */
export function textsIn(form: FormData, text: string): Record<string, string> {
  const typed = locales.map((one) => [one, textOf(form, `${text}-${one}`).trim()] as const)
  return Object.fromEntries(typed.filter(([, said]) => said !== ''))
}

/** Where the members of the texts are in the form. */
export function textFields(text: string): Record<string, string> {
  return Object.fromEntries(locales.map((one) => [`${text}/${one}`, `${text}-${one}`]))
}

/** Two methods with the same place stay as they were. */
export function methodsIn(form: FormData) {
  const placeOf = (method: string) => Number(textOf(form, `${method}-place`))
  const shown = valuesOf(form, 'shown')
  return {
    order: SIGN_IN_METHODS.toSorted((one, other) => placeOf(one) - placeOf(other)),
    hidden: SIGN_IN_METHODS.filter((method) => !shown.includes(method)),
  }
}

/** What the preview of the page is shown in. */
export function shownIn(form: FormData) {
  return { locale: textOf(form, 'preview-language'), theme: textOf(form, 'preview-theme') }
}

const MAX_BYTES = 1024 * 1024

type Uploaded = { picture: string; field: string; refused?: never }

/** An uploaded picture as base64, or the form again. */
export async function pictureIn(form: FormData): Promise<Uploaded | { refused: FormState<never> }> {
  const { branding: words } = (await currentMessages()).admin.applications
  const field = `picture-${textOf(form, 'place')}`
  const file = form.get(field)
  if (!(file instanceof File) || file.size === 0) {
    return { refused: mistaken(form, { field, text: words.chooseFirst }) }
  }
  if (file.size > MAX_BYTES) return { refused: mistaken(form, { field, text: words.tooLarge }) }
  return { field, picture: Buffer.from(await file.arrayBuffer()).toString('base64') }
}
