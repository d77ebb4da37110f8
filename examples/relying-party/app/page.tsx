import { getServerSession, type Session } from 'next-auth'
import { authOptions } from '../auth'
import { SignIn } from './sign-in'

// Who is signed in is not known when this is built.
export const dynamic = 'force-dynamic'

type Props = { searchParams: Promise<{ error?: string }> }

export default async function Page({ searchParams }: Props) {
  const session = await getServerSession(authOptions())
  const { error } = await searchParams
  return session ? <SignedIn {...session} /> : <SignedOut failed={error !== undefined} />
}

function SignedOut({ failed }: { failed: boolean }) {
  return (
    <>
      <h1>A relying party</h1>
      {failed && <p role="alert">Signing in did not work. Try again.</p>}
      <p>This application keeps no passwords. It asks Gatehouse who you are.</p>
      <SignIn />
    </>
  )
}

function SignedIn({ user, sub, granted, refused }: Session) {
  return (
    <>
      <h1>Hello, {user?.name ?? sub}</h1>
      <dl>
        <dt>Subject</dt>
        <dd>
          <code>{sub}</code>
        </dd>
        <dt id="granted">Granted</dt>
        <dd>
          <ul aria-labelledby="granted">
            {granted.map((scope) => (
              <li key={scope}>
                <code>{scope}</code>
              </li>
            ))}
          </ul>
        </dd>
        {refused.length > 0 && (
          <>
            <dt id="refused">Not granted</dt>
            <dd>
              <ul aria-labelledby="refused">
                {refused.map(({ scope, code }) => (
                  <li key={scope}>
                    <code>{scope}</code> ({code})
                  </li>
                ))}
              </ul>
            </dd>
          </>
        )}
      </dl>
      <form method="post" action="/sign-out">
        <button type="submit">Sign out</button>
      </form>
    </>
  )
}
