import { describe, expect, test } from 'vitest'
import { messagesFor } from '../i18n'
import { ACTIVITY_EVENTS, EVENT_NAMES, isForWebhooks, matchesEvent, WEBHOOK_EVENTS } from './events'

test('docs/events.md is made from the table; `npx vitest -u` writes it', async () => {
  const { events } = await messagesFor('en')
  const rows = EVENT_NAMES.map((name) => {
    const seen = ACTIVITY_EVENTS.some((one) => one === name) ? 'yes' : ''
    return `| `.concat(
      [`\`${name}\``, events[name], isForWebhooks(name) ? 'yes' : '', seen].join(' | '),
      ' |',
    )
  })
  const text = `# Events

Every event of the audit log. A webhook listens to an event by its name (\`user.created\`), to all
events of a kind (\`user.*\`) or to everything (\`*\`). Events without "webhooks" are too many,
anybody can cause them, or they are about messages of the outbox, to which they would add others. They
are in the audit log only. "Activity" marks what people see of
their own account at \`/account/activity\`.

This page is generated from \`lib/base/events.ts\` and \`lib/i18n/words/en/admin/events.json\`.

| event | meaning | webhooks | activity |
| --- | --- | --- | --- |
${rows.join('\n')}
`
  await expect(text).toMatchFileSnapshot('../../docs/events.md')
})

describe('a pattern of a webhook', () => {
  test.each([
    ['*', 'user.created', true],
    ['user.*', 'user.created', true],
    ['user.*', 'users.created', false],
    ['user.created', 'user.created', true],
    ['user.c*', 'user.created', false],
    ['logout', 'logout', true],
  ])('%s matches %s: %s', (pattern, event, expected) => {
    expect(matchesEvent(pattern, event)).toBe(expected)
  })

  test('what anybody can cause without limit, what happens with every token, and what is about a message itself is not offered', () => {
    expect(EVENT_NAMES.filter((name) => !WEBHOOK_EVENTS.includes(name))).toEqual([
      'code.issued',
      'token.issued',
      'token.refused',
      'token.origin_refused',
      'device_sign_in.requested',
      'client.refused',
      'authorize.foreign_redirect',
      'authorize.refused',
      'userinfo.refused',
      'logout.refused',
      'permission.refused',
      'registration.refused',
      'outbox.retried',
      'outbox.cancelled',
    ])
  })
})
