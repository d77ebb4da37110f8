import React from 'react'
import { createRoot } from 'react-dom/client'
import { AuthProvider, useAuth } from 'react-oidc-context'

const settings = {
  authority: "{{issuer}}",
  client_id: "{{clientId}}",
  redirect_uri: "{{redirectUri}}",
{{?postLogoutUri}}  post_logout_redirect_uri: "{{postLogoutUri}}",
{{?!postLogoutUri}}  // To come back here after signing out, register a post-logout URI and name it:
{{?!postLogoutUri}}  // post_logout_redirect_uri: window.location.origin,
  scope: "{{scope}}",
  // Name and address are in userinfo in any case; an ID token may lack them.
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
