import { SAMPLE_LANGUAGES, type Sample, type SampleLanguage } from '@/lib/api/reference/samples'
import type { Messages } from '@/lib/i18n'
import { fill } from '@/lib/i18n/fill'
import { ScrollingCode } from './code'
import { CopyText } from './copy-text'

const names = Object.keys(SAMPLE_LANGUAGES) as SampleLanguage[]

// Whole class names, because Tailwind reads them and does not run them.
const shownWhen: Record<SampleLanguage, string> = {
  curl: 'hidden group-has-[[value=curl]:checked]/sample:block',
  javascript: 'hidden group-has-[[value=javascript]:checked]/sample:block',
  python: 'hidden group-has-[[value=python]:checked]/sample:block',
}

type Props = { id: string; sample: Sample; words: Messages['docs']; common: Messages['common'] }

/** The same request in three languages. The choice is a radio button, so it needs no script. */
export function Samples({ id, sample, words, common }: Props) {
  return (
    <div className="group/sample min-w-0 rounded-panel border border-line bg-raised">
      <div className="flex items-center justify-between gap-2 border-b border-line py-1 ps-2 pe-1.5">
        <fieldset className="flex">
          <legend className="sr-only">{words.examples}</legend>
          {names.map((name) => (
            <Choice key={name} group={`language-${id}`} name={name} label={words.languages[name]} />
          ))}
        </fieldset>
        {names.map((language) => (
          <div key={language} className={shownWhen[language]}>
            <CopyText
              from={`${id}-${language}`}
              label={common.copy}
              name={fill(words.copyOf, { language: words.languages[language], name: id })}
              doneLabel={common.copied}
            />
          </div>
        ))}
      </div>
      {names.map((language) => (
        <ScrollingCode
          key={language}
          id={`${id}-${language}`}
          label={fill(words.exampleIn, { language: words.languages[language], name: id })}
          text={SAMPLE_LANGUAGES[language](sample)}
          className={shownWhen[language]}
        />
      ))}
    </div>
  )
}

function Choice({ group, name, label }: { group: string; name: SampleLanguage; label: string }) {
  return (
    <label className="relative inline-flex min-h-9 cursor-pointer items-center rounded-control px-2.5 text-small text-muted hover:bg-wash hover:text-ink has-checked:font-semibold has-checked:text-ink has-checked:underline has-checked:decoration-accent has-checked:decoration-2 has-checked:underline-offset-[0.4em] has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name={group}
        value={name}
        defaultChecked={name === names[0]}
        data-sample-language
        className="sr-only"
      />
      {label}
    </label>
  )
}
