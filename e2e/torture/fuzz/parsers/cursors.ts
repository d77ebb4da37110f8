import fc from 'fast-check'
import { OPERATOR } from '../../../../lib/api/http/caller'
import { answerApi } from '../../../../lib/api/table'
import type { Op } from '../../../../lib/context/op'
import { nastyText } from '../nasty'
import { must } from './must'

const MAX_QUERY_LENGTH = 8_000

/** A position in a list is what we sealed for that list, to the last character. */
export async function cursorsAreOurs(op: Op) {
  const ask = async (query: string) => {
    const incoming = { method: 'GET', url: `/api/v1/users?${query}`, headers: new Headers() }
    const more = { ip: null, requestId: 'fuzz', body: async () => new Uint8Array() }
    const whole = { ...incoming, ...more }
    const { status, body } = await answerApi(op, whole, async () => OPERATOR)
    return { status, json: JSON.parse(body) }
  }
  const { json } = await ask('limit=1')
  const cursor: string = json.page.next
  const text = fc.oneof(
    nastyText,
    fc
      .tuple(fc.nat(cursor.length), fc.nat(2), fc.oneof(nastyText, fc.constantFrom('.', '.x', '=')))
      .map(([at, cut, piece]) => cursor.slice(0, at) + piece + cursor.slice(at + cut)),
  )
  return fc.asyncProperty(text, async (sent) => {
    const query = new URLSearchParams({ limit: '1', cursor: sent.toWellFormed() })
    const { status } = await ask(query.toString())
    const refused = query.toString().length > MAX_QUERY_LENGTH ? 414 : 400
    const isOurs = sent === cursor || sent === '' // an empty parameter is none
    must(status === (isOurs ? 200 : refused), `${status} for another cursor`)
  })
}
