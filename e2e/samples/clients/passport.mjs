// passport-openidconnect in Express, as its documentation begins.
import express from 'express'
import session from 'express-session'
import passport from 'passport'
import OpenIDConnectStrategy from 'passport-openidconnect'

const { ISSUER, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, PORT } = process.env
const strategy = new OpenIDConnectStrategy(
  {
    issuer: ISSUER,
    authorizationURL: `${ISSUER}/oidc/auth`,
    tokenURL: `${ISSUER}/oidc/token`,
    userInfoURL: `${ISSUER}/oidc/me`,
    clientID: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    callbackURL: REDIRECT_URI,
    scope: ['profile', 'email'],
  },
  (_issuer, profile, done) => done(null, profile),
)
passport.use(strategy)
passport.serializeUser((user, done) => done(null, user))
passport.deserializeUser((user, done) => done(null, user))

const app = express()
app.use(session({ secret: 'only for this test', resave: false, saveUninitialized: false }))
app.use(passport.session())
app.get('/callback', passport.authenticate('openidconnect', { successRedirect: '/' }))
app.get('/sign-in', passport.authenticate('openidconnect'))
app.get('/', ({ user }, response) => {
  if (user) response.json(user)
  else response.redirect('/sign-in')
})
app.listen(Number(PORT))
