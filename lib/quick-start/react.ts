import { type Guide, portOf, quoted, type Values } from './guide'

/** A single-page app with oidc-client-ts 3: authorization code and PKCE, no secret. */
export function react(values: Values): Guide {
  return {
    label: 'React',
    install: 'npm install oidc-client-ts react-oidc-context',
    files: [{ name: 'src/main.tsx', text: main(values) }],
    run: `npx vite --port ${portOf(values.redirectUri)}`,
    redirectUri: values.redirectUri,
  }
}

function main({ issuer, clientId, redirectUri, postLogoutUri, scope }: Values): string {
  const goodbye = postLogoutUri ?? `${new URL(redirectUri).origin}/`
  return `import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const settings = {
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
  post_logout_redirect_uri: ${quoted(goodbye)},
  scope: ${quoted(scope)},
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

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <AuthProvider {...settings}>
      <App />
    </AuthProvider>,
  )
}
`
}
