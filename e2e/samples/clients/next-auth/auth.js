import NextAuth from 'next-auth'

/** Auth.js in Next.js, as its documentation begins. */
export const { handlers, auth } = NextAuth({
  secret: 'only for this test',
  trustHost: true,
  providers: [
    {
      id: 'portal',
      name: 'the portal',
      type: 'oidc',
      issuer: process.env.ISSUER,
      clientId: process.env.CLIENT_ID,
      clientSecret: process.env.CLIENT_SECRET,
    },
  ],
})
