import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { curl, javascript, python, pythonLiteral, type Sample, shellQuoted } from './samples'

const CHANGE: Sample = {
  method: 'PATCH',
  url: 'https://id.example/api/v1/spaces/shop?a=1&b=2',
  headers: [
    { name: 'Authorization', value: { fill: 'token' } },
    { name: 'Content-Type', value: 'application/json' },
    { name: 'If-Match', value: '"1"' },
  ],
  body: { name: "The shop's", open: true, note: null },
}
const CREATION: Sample = {
  method: 'POST',
  url: 'https://id.example/api/v1/spaces',
  headers: [{ name: 'Idempotency-Key', value: { fill: 'key' } }],
  body: [],
}
const PUBLIC: Sample = { method: 'GET', url: 'https://id.example/openapi.json', headers: [] }

const AWKWARD = [
  "it's",
  "''",
  '$(rm -rf /) `id` $HOME',
  'back\\slash "double" !history',
  'two\nlines\tand a tab',
  '*?[a]{b,c} ~ # ; & | < >',
  '订单 🏰',
  '',
]

describe('a shell word', () => {
  test.each(AWKWARD)('comes out of a real shell as it went in: %j', (text) => {
    const out = execFileSync('sh', ['-c', `printf %s ${shellQuoted(text)}`], { encoding: 'utf8' })
    expect(out).toBe(text)
  })
})

describe('curl', () => {
  test('quotes what it is given, and leaves the token to the shell', () => {
    expect(curl(CHANGE)).toBe(
      [
        "curl -X PATCH 'https://id.example/api/v1/spaces/shop?a=1&b=2' \\",
        '  -H "Authorization: Bearer $TOKEN" \\',
        "  -H 'Content-Type: application/json' \\",
        `  -H 'If-Match: "1"' \\`,
        `  --data-raw '{`,
        `  "name": "The shop'\\''s",`,
        '  "open": true,',
        '  "note": null',
        `}'`,
      ].join('\n'),
    )
  })

  test('the shell hands over the very body', () => {
    const body = { texts: AWKWARD }
    // What stands in for curl prints its last argument.
    const fake = 'curl() { for last; do :; done; printf %s "$last"; }'
    const script = `${fake}\n${curl({ ...PUBLIC, method: 'POST', body })}`
    const out = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    expect(JSON.parse(out)).toEqual(body)
  })

  test('makes a key of its own for what may be sent twice', () => {
    expect(curl(CREATION)).toContain('-H "Idempotency-Key: $(uuidgen)"')
  })

  test('says no more than it must', () => {
    expect(curl(PUBLIC)).toBe("curl 'https://id.example/openapi.json'")
  })
})

describe('JavaScript', () => {
  test.each([CHANGE, CREATION, PUBLIC, { ...CHANGE, body: { texts: AWKWARD } }])(
    'asks fetch for $method $url',
    async (sample) => {
      const asked = await fetched(javascript(sample))
      expect(asked).toMatchObject({ url: sample.url, method: sample.method })
      expect(asked.headers.get('authorization')).toBe(
        sample.headers.some(({ name }) => name === 'Authorization') ? 'Bearer tok' : null,
      )
      expect(asked.body).toEqual(sample.body)
    },
  )

  test('makes a key of its own for what may be sent twice', async () => {
    expect((await fetched(javascript(CREATION))).headers.get('idempotency-key')).toMatch(
      /^[0-9a-f-]{36}$/,
    )
  })
})

type Asked = { url: string; method: string; headers: Headers; body: unknown }

/** Runs a sample with a fetch that only remembers. */
async function fetched(code: string): Promise<Asked> {
  const asked: Asked[] = []
  const fetch = async (url: string, init: RequestInit = {}) => {
    const body = init.body === undefined ? undefined : JSON.parse(String(init.body))
    asked.push({ url, method: init.method ?? 'GET', headers: new Headers(init.headers), body })
    return { status: 200, text: async () => '' }
  }
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  const run = new AsyncFunction('fetch', 'process', 'console', code)
  await run(fetch, { env: { TOKEN: 'tok' } }, { log() {} })
  const [first] = asked
  if (!first) throw new Error('nothing was asked')
  return first
}

describe('Python', () => {
  test('calls requests, which says by itself that the body is JSON', () => {
    expect(python(CHANGE)).toBe(
      [
        'import os',
        'import requests',
        '',
        'response = requests.patch(',
        '    "https://id.example/api/v1/spaces/shop?a=1&b=2",',
        '    headers={',
        `        "Authorization": f"Bearer {os.environ['TOKEN']}",`,
        '        "If-Match": "\\"1\\"",',
        '    },',
        '    json={',
        '        "name": "The shop\'s",',
        '        "open": True,',
        '        "note": None,',
        '    },',
        ')',
        'print(response.status_code, response.text)',
      ].join('\n'),
    )
  })

  test('imports what it uses', () => {
    expect(python(CREATION)).toMatch(/^import uuid\nimport requests\n/)
    expect(python(CREATION)).toContain('"Idempotency-Key": str(uuid.uuid4())')
    expect(python(PUBLIC)).toMatch(/^import requests\n/)
    expect(python(PUBLIC)).not.toContain('headers')
  })

  test.each([
    [null, 'None'],
    [[], '[]'],
    [{}, '{}'],
    [
      [true, { a: [1.5, false] }],
      '[\n    True,\n    {\n        "a": [\n            1.5,\n            False,\n        ],\n    },\n]',
    ],
    ['"\\\n', '"\\"\\\\\\n"'],
  ])('%j is %s', (value, literal) => {
    expect(pythonLiteral(value)).toBe(literal)
  })
})
