import { auth } from '../auth'

export default async function Page() {
  const session = await auth()
  return session ? <p>{JSON.stringify(session)}</p> : <a href="/api/auth/signin">Sign in</a>
}
