import { QuietSubmit } from '@/app/_ui/quiet-submit'
import { Section } from '@/app/_ui/section'
import { PICTURES, type PicturePlace } from '@/lib/base/branding'
import type { FormState } from '@/lib/browser/api-form'
import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { formWords } from './form-words'
import { PictureForm } from './picture-form'

type Props = {
  addresses: Readonly<Record<PicturePlace, string | null>>
  /** What is shown instead. */
  none: Readonly<Record<'logo' | 'picture', string>>
  upload: (before: FormState, form: FormData) => Promise<FormState>
  remove: (form: FormData) => Promise<void>
  hidden: Record<string, string>
  mayWrite: boolean
}

/** The logos and the picture of the portal or of an application. */
export async function Pictures({ addresses, none, upload, remove, hidden, mayWrite }: Props) {
  const { branding: words } = (await currentMessages()).admin.applications
  const common = await formWords('save')
  return (
    <Section title={words.logos} text={words.logosText}>
      <div className="grid gap-8 lg:grid-cols-3">
        {PICTURES.map((place) => (
          <div key={place} className="grid content-start gap-4">
            <h3 className="font-semibold">{words[place]}</h3>
            <Shown
              address={addresses[place]}
              place={place}
              none={place === 'picture' ? none.picture : none.logo}
            />
            {mayWrite && (
              <PictureForm
                action={upload}
                place={place}
                hidden={hidden}
                label={`${words.file}: ${words[place]}`}
                words={{ ...common, submit: words.upload, busy: words.uploading }}
              />
            )}
            {mayWrite && addresses[place] !== null && (
              <form action={remove}>
                {Object.entries({ ...hidden, place }).map(([name, value]) => (
                  <input key={name} type="hidden" name={name} value={value} />
                ))}
                <QuietSubmit
                  label={fill(words.removeNamed, { which: words[place] })}
                  busyLabel={common.busy}
                />
              </form>
            )}
          </div>
        ))}
      </div>
    </Section>
  )
}

const GROUNDS = { light: 'bg-ground-light', dark: 'bg-ground-dark', picture: '' } as const

type ShownProps = { address: string | null; place: PicturePlace; none: string }

/** On the ground that it will be on, whatever theme this page has. */
async function Shown({ address, place, none }: ShownProps) {
  if (address === null) return <p className="text-muted text-small">{none}</p>
  const { branding: words } = (await currentMessages()).admin.applications
  return (
    <div className={`w-fit rounded-control border border-line p-4 ${GROUNDS[place]}`}>
      {/* biome-ignore lint/performance/noImgElement: drawn by us at its size, no loader needed */}
      <img
        src={new URL(address).pathname}
        alt={words[place]}
        className={place === 'picture' ? 'aspect-[4/3] w-40 object-cover' : 'size-24'}
      />
    </div>
  )
}
