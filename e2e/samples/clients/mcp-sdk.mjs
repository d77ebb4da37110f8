export { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
export { Client } from '@modelcontextprotocol/sdk/client/index.js'
export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
