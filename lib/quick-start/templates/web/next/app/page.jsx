import { getServerSession } from 'next-auth'
import { authOptions } from '../auth'

export default async function Home() {
  const session = await getServerSession(authOptions)
  if (!session) return <a href="/api/auth/signin">Sign in</a>
  const { name, email } = session.user
  return (
    <>
      <p>
        Hello, {name} ({email})
      </p>
      <a href="/api/auth/signout">Sign out</a>
    </>
  )
}
