import { type Guide, homeOf, portOf, quoted, sample, type Values } from './guide'

/** A single-page app with oidc-client-ts 3: authorization code and PKCE, no secret. */
export function react(values: Values): Guide {
  const { redirectUri } = values
  return sample({
    label: 'React',
    install: 'npm install vite react react-dom oidc-client-ts react-oidc-context',
    files: [
      { name: 'index.html', text: PAGE },
      { name: 'src/main.jsx', text: main(values) },
    ],
    run: `npx vite --port ${portOf(redirectUri)} --strictPort`,
    open: homeOf(redirectUri),
    redirectUri,
    origin: new URL(redirectUri).origin,
  })
}

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Sign in</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/main.jsx"></script>
  </body>
</html>
`

function main({ issuer, clientId, redirectUri, postLogoutUri, scope }: Values): string {
  const goodbye = postLogoutUri
    ? `  post_logout_redirect_uri: ${quoted(postLogoutUri)},\n`
    : '  // To come back here after signing out, register a post-logout URI and name it:\n  // post_logout_redirect_uri: window.location.origin,\n'
  return `import React from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const settings = {
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
${goodbye}  scope: ${quoted(scope)},
  // Name and address are in userinfo, not in the ID token.
  loadUserInfo: true,
  // The code in the address is used up: take it away.
  onSigninCallback: () => window.history.replaceState({}, document.title, '/'),
}

function App() {
  const auth = useAuth()
  if (auth.isLoading) return <p>Just a moment…</p>
  if (auth.error) return <p>{auth.error.message}</p>
  if (!auth.isAuthenticated) {
    return <button onClick={() => auth.signinRedirect()}>Sign in</button>
  }
  return (
    <>
      <p>Hello, {auth.user?.profile.name ?? auth.user?.profile.sub}</p>
      <button onClick={() => auth.signoutRedirect()}>Sign out</button>
    </>
  )
}

createRoot(document.getElementById('root')).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
)
`
}
