import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask, askToken, FORM, machineFields } from '../support/ask'
import { aliceAtWeb, exchange, getCode, webRequest } from '../support/flow'
import { type Portal, spawnPortal } from '../support/portal'
import { sendRaw } from '../support/raw'
import { sharedPortal } from '../support/shared-portal'

/** Rows of docs/attacks.md that only the bytes of a connection, or what a process prints, can show. */

let portal: Portal

beforeAll(async () => {
  portal = await sharedPortal()
})

test('D3: after a body over 64 KiB the connection is closed', async () => {
  const answer = await askToken(portal.origin, `${'x'.repeat(70 * 1024)}=1`)
  expect([answer.status, answer.headers.connection]).toEqual([413, 'close'])
})

test('D3: a chunked body over 64 KiB is 413, and reading stops', async () => {
  const { port } = new URL(portal.origin)
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1')
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('close', () => resolve(received))
    socket.on('error', () => resolve(received))
    setTimeout(() => reject(new Error('the connection stayed open')), 10_000).unref()
    socket.write(
      'POST /oidc/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    const chunk = 'y'.repeat(16 * 1024)
    const timer = setInterval(() => {
      if (!socket.writable) clearInterval(timer)
      else socket.write(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    }, 5)
  })
  expect(text).toMatch(/^HTTP\/1.1 413 /)
  expect(text).toContain('"error":"invalid_request"')
})

test('D7: credentials or a code in the URL are refused and not logged', async () => {
  const canary = 'canary-in-the-query'
  for (const name of ['client_secret', 'code', 'client_id', 'refresh_token']) {
    const path = `/oidc/token?${name}=${canary}`
    const body = new URLSearchParams(machineFields(portal)).toString()
    const answer = await ask(portal.origin, { method: 'POST', path, headers: FORM, body })
    expect([answer.status, JSON.parse(answer.body).error]).toEqual([400, 'invalid_request'])
    expect(answer.body).not.toContain(canary)
  }
  expect(await portal.allOutput()).not.toContain(canary)
})

describe('H11: two Authorization headers', () => {
  test('are 400, even if both are good', async () => {
    const alice = await aliceAtWeb(portal)
    const answer = await exchange(portal, await getCode(alice, webRequest(portal.demo())))
    const lines = `Authorization: Bearer ${JSON.parse(answer.body).access_token}\r\n`.repeat(2)
    const text = await sendRaw(
      portal,
      `GET /oidc/me HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`,
    )
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(text).toContain(
      `WWW-Authenticate: Bearer realm="${portal.origin}", error="invalid_request"`,
    )
  })

  test('are no way to authenticate a client either', async () => {
    const { client_id, client_secret } = portal.demo().machine
    const pair = Buffer.from(`${client_id}:${client_secret}`).toString('base64')
    const lines = `Authorization: Basic ${pair}\r\n`.repeat(2)
    const body = 'grant_type=client_credentials&scope=orders:read'
    const text = await sendRaw(
      portal,
      `POST /oidc/token HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
    expect(text).toContain('"error":"invalid_client"')
  })
})

test('H17: with another secret, or a weak one, the portal does not start', async () => {
  const { PORT: _taken, ...env } = portal.env
  const another = 'another-secret-of-sufficient-length-0123456789'
  for (const [GATEHOUSE_SECRET, line] of [
    [another, /cannot be decrypted: GATEHOUSE_SECRET is not the one/],
    ['changeme-changeme-changeme-changeme', /GATEHOUSE_SECRET is weak/],
  ] as const) {
    const refused = await spawnPortal(['dist/server.js'], { ...env, GATEHOUSE_SECRET })
    expect(await refused.exited).toBe(1)
    expect(refused.output()).toMatch(line)
  }
})

test('N22: no secret that was sent is in the logs', async () => {
  const { machine, web } = portal.demo()
  const asKey = { client_id: machine.access_key, client_secret: machine.secret_key }
  const asWeb = { client_id: web.client_id, client_secret: web.client_secret }
  for (const client of [{}, asKey, asWeb]) {
    await askToken(portal.origin, machineFields(portal, client))
  }
  const output = await portal.allOutput()
  // The start prints the two curl lines once, on purpose.
  const lines = output.split('\n').filter((line) => !line.startsWith('  curl '))
  expect(lines.filter((line) => line.includes('"endpoint":"token"')).length).toBeGreaterThan(0)
  for (const secret of [machine.client_secret, machine.secret_key, web.client_secret]) {
    expect(lines.join('\n')).not.toContain(secret)
  }
})
