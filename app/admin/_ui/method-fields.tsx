import { methodsInOrder, SIGN_IN_METHODS, type SignInMethod } from '@/lib/base/sign-in-methods'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { Check, type Options, Select, Ticks } from './form'

type Props = { order: readonly SignInMethod[]; hidden: readonly SignInMethod[] }

/** The ways to sign in: which of them a page offers, and in which order. */
export async function MethodFields({ order, hidden }: Props) {
  const { methods: words } = (await currentMessages()).admin.settings
  const places: Options = SIGN_IN_METHODS.map((_, at) => [String(at + 1), String(at + 1)])
  return (
    <Ticks name="methods">
      {methodsInOrder(order).map((method, at) => {
        const name = words.names[method]
        return (
          <div key={method} className="grid items-end gap-x-6 gap-y-2 sm:grid-cols-[1fr_9rem]">
            <div className="sm:pb-3">
              <Check
                name="shown"
                value={method}
                label={fill(words.shown, { method: name })}
                checked={!hidden.includes(method)}
              />
            </div>
            <Select
              name={`${method}-place`}
              label={fill(words.place, { method: name })}
              defaultValue={String(at + 1)}
              options={places}
            />
          </div>
        )
      })}
    </Ticks>
  )
}
