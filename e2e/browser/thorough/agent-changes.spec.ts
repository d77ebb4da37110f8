import { auth } from '@modelcontextprotocol/client'
import { expect, test } from '@playwright/test'
import { expectNoViolations } from '../../support/axe'
import { Agent, callTool, connect } from '../../support/mcp-agent'
import { asOwner, demo, ownerSignedIn } from '../../support/people'
import { enterAsOwner } from '../../support/sign-in'

/** What an agent asks for at /mcp, as its user finds and answers it. */

const CALLBACK = 'http://127.0.0.1:7777/cb'
const SCOPE = 'roles:read roles:write'

/** An agent of the owner that has asked for a new role; gives back how to ask again. */
async function agentThatAsks(origin: string, name: string, role: string) {
  const made = await asOwner('POST', '/applications', {
    name,
    kind: 'web',
    redirectUris: [CALLBACK],
    grantTypes: ['authorization_code', 'refresh_token'],
  })
  const { secret } = await asOwner('POST', `/applications/${made.id}/secrets`, { name: 'one' })
  const grants = SCOPE.split(' ').map((pattern) => ({ pattern }))
  await asOwner('PUT', `/applications/${made.id}/grants`, { grants }, { 'if-match': '*' })
  const information = { client_id: made.id, client_secret: secret }
  const agent = new Agent({ redirectUrl: CALLBACK, information })
  const serverUrl = `${origin}/mcp`
  await auth(agent, { serverUrl, scope: SCOPE })
  await agent.signedInBy(ownerSignedIn(), demo().admin, SCOPE.split(' '), serverUrl)
  const client = await connect(serverUrl, agent)
  const given = { space: 'spc_demo', key: role, name: 'Night shift' }
  return { ask: () => callTool(client, 'create_role', given), close: () => client.close() }
}

test('a change that an agent asked for is found under Applications and declined', async ({
  page,
  baseURL,
}) => {
  const name = `Agent ${crypto.randomUUID().slice(0, 8)}`
  const agent = await agentThatAsks(baseURL ?? '', name, `night-${crypto.randomUUID().slice(0, 8)}`)
  expect((await agent.ask()).json.status).toBe('confirmation_needed')

  await enterAsOwner(page, '/account/apps')
  const waiting = page.getByRole('listitem').filter({ hasText: `${name} asked for it` })
  await expect(waiting).toContainText('Create a role')
  await expectNoViolations(page)
  await waiting.getByRole('link', { name: 'Look at the change' }).click()
  await expect(page.getByRole('heading', { name: 'Create a role' })).toBeVisible()
  await expectNoViolations(page)
  await page.getByRole('button', { name: 'Decline' }).click()
  await expect(page.locator('h1')).toHaveText('You declined the change')

  await page.goto('/account/apps')
  await expect(page.locator('h1')).toBeVisible()
  await expect(waiting).toHaveCount(0)
  expect((await agent.ask()).json.code).toBe('forbidden')
  await agent.close()
})
