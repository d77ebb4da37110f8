import { currentMessages } from '@/lib/browser/locale'
import { fill } from '@/lib/i18n/fill'
import { differenceOf } from '@/lib/oidc/redirect-uri'
import { Fact, Facts } from '../../../_ui/facts'

/** The URI that was sent and the registered one that is most like it, with what differs. */
export async function RedirectDifference({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  const { refusals: words } = (await currentMessages()).admin.applications
  const given = String(facts.given ?? '')
  if (typeof facts.nearest !== 'string') {
    return (
      <Facts>
        <Fact term={words.sent}>
          <code className="code">{given}</code>
        </Fact>
        <Fact term={words.registered}>{words.noneRegistered}</Fact>
      </Facts>
    )
  }
  const { nearest } = facts
  const parts = differenceOf(given, nearest)
  const { kind, extra, lacking, at } = parts
  return (
    <>
      <p className="max-w-[46rem]">
        {fill(words.differences[kind], { extra, lacking, at: String(at + 1) })}
      </p>
      <Facts>
        <Fact term={words.sent}>
          <Marked text={given} at={at} length={extra.length} />
        </Fact>
        <Fact term={words.registered}>
          <Marked text={nearest} at={at} length={lacking.length} />
        </Fact>
      </Facts>
    </>
  )
}

type MarkedProps = { text: string; at: number; length: number }

function Marked({ text, at, length }: MarkedProps) {
  return (
    <code className="code">
      {text.slice(0, at)}
      {length > 0 && (
        <mark className="bg-danger-wash font-bold text-danger">{text.slice(at, at + length)}</mark>
      )}
      {text.slice(at + length)}
    </code>
  )
}
