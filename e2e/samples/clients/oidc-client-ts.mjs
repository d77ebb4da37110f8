// Serves the page and the library: everything else happens in the browser.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const { ISSUER, CLIENT_ID, REDIRECT_URI, PORT } = process.env
const settings = { authority: ISSUER, client_id: CLIENT_ID, redirect_uri: REDIRECT_URI }
const page = readFileSync('page.html', 'utf8').replace('SETTINGS', JSON.stringify(settings))
const library = readFileSync('node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js')

createServer(({ url }, response) => {
  const isPage = url !== '/oidc-client-ts.js'
  response.setHeader('content-type', isPage ? 'text/html' : 'text/javascript')
  response.end(isPage ? page : library)
}).listen(Number(PORT))
