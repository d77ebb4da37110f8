import { currentMessages } from '@/lib/browser/locale'
import { Fact, Facts } from '../../../_ui/facts'

/** The URI that was sent and the registered one that is most like it, from where they differ. */
export async function RedirectDifference({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  const { refusals: words } = (await currentMessages()).admin.applications
  const given = String(facts.given ?? '')
  const nearest = typeof facts.nearest === 'string' ? facts.nearest : null
  const at = Number(facts.at)
  return (
    <Facts>
      <Fact term={words.sent}>
        <Marked text={given} at={at} />
      </Fact>
      {nearest !== null && (
        <Fact term={words.registered}>
          <Marked text={nearest} at={at} />
        </Fact>
      )}
    </Facts>
  )
}

function Marked({ text, at }: { text: string; at: number }) {
  return (
    <code className="code">
      {text.slice(0, at)}
      <mark className="bg-danger-wash font-bold text-danger">{text.slice(at) || '⏎'}</mark>
    </code>
  )
}
