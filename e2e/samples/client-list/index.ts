import { AS_IT_IS, type Client, STOCK } from './client'
import { MCP_IN_NODE, NODE } from './node'
import { APACHE, GO, JAVA } from './other'
import { MCP_IN_PYTHON, PYTHON } from './python'

export { ALICE, type Client, type Try } from './client'

/** Each calls a tool of examples/mcp-server.mjs, which says whose token it got. */
const AGENTS: Client[] = [...MCP_IN_NODE, MCP_IN_PYTHON].flatMap((sdk) => {
  const common = { ...sdk, walk: 'agent', kind: 'native', knows: ['sub'] } as const
  return [
    {
      ...common,
      does: 'calls an MCP server',
      pkce: 'MCP SDKs (TypeScript, Python)',
      tries: AS_IT_IS,
    },
    {
      ...common,
      does: 'registers itself and calls an MCP server',
      registersItself: true,
      tries: [
        STOCK,
        {
          with: '“Who can register”: Anybody (portal)',
          portal: { clientRegistration: { mode: 'open', scopes: ['openid', 'orders:read'] } },
        },
      ],
    },
  ] as const
})

export const CLIENTS: readonly Client[] = [...PYTHON, ...NODE, ...GO, ...APACHE, ...JAVA, ...AGENTS]
