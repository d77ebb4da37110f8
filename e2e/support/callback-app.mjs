// node callback-app.mjs PORT: the application to which the sample data leads back. It says that one
// is there, and what it was sent by POST.
import { createServer } from 'node:http'

const server = createServer(async (request, response) => {
  let posted = ''
  for await (const chunk of request) posted += chunk
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(
    `<h1>back at the app</h1><pre>${posted.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`,
  )
})
server.listen(Number(process.argv[2]), '127.0.0.1')
