export const authOptions = {
  providers: [
    {
      id: 'gatehouse',
      name: 'Gatehouse',
      type: 'oauth',
      wellKnown: "{{discoveryUrl}}",
      clientId: "{{clientId}}",
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: "{{scope}}" } },
      checks: ['pkce', 'state', 'nonce'],
      idToken: true,
      // Name and address are in userinfo in any case; an ID token may lack them.
      userinfo: { request: ({ client, tokens }) => client.userinfo(tokens) },
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
}
