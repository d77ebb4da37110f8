import { access } from './access'
import { account } from './account'
import { admin } from './admin'
import { apis } from './apis'
import { appParts } from './app-parts'
import { applications } from './applications'
import { audit } from './audit'
import { choose } from './choose'
import { common, frame, notFound, portal } from './common'
import { conditions } from './conditions'
import { configuration } from './configuration'
import { consent } from './consent'
import { credentials } from './credentials'
import { device } from './device'
import { docs } from './docs'
import { errorMessages } from './error-messages'
import { errorPage } from './error-page'
import { events } from './events'
import { firstRun } from './first-run'
import { firstToken } from './first-token'
import { front } from './front'
import { groups } from './groups'
import { guides } from './guides'
import { health } from './health'
import { impact, terms } from './impact'
import { keys } from './keys'
import { mail } from './mail'
import { outbox } from './outbox'
import { overview } from './overview'
import { ownErrorMessages } from './own-error-messages'
import { palette } from './palette'
import { password } from './password'
import { portalScopes } from './portal-scopes'
import { refusalReasons } from './refusal-reasons'
import { registration } from './registration'
import { requests } from './requests'
import { reviews } from './reviews'
import { roles } from './roles'
import { settings } from './settings'
import { setup } from './setup'
import { signIn } from './sign-in'
import { spaces } from './spaces'
import { tools } from './tools'
import { upstream } from './upstream'
import { users } from './users'
import { webhooks } from './webhooks'

export const dictionary = {
  portal,
  frame,
  common,
  choose,
  front,
  setup,
  firstRun,
  errorPage,
  consent,
  device,
  ...signIn,
  password,
  events,
  account,
  requests,
  reviews,
  admin: {
    ...admin,
    problems: { ...admin.problems, errorMessages, own: ownErrorMessages },
    overview,
    firstToken,
    configuration,
    health,
    keys,
    audit,
    access,
    tools,
    palette,
    users,
    groups,
    settings,
    webhooks,
    outbox,
    registration,
    conditions,
    terms,
    impact,
    apis,
    requestRules: requests.rules,
    reviews: reviews.admin,
    spaces,
    rolePages: roles,
    applications: { ...applications, ...appParts, credentials, refusalReasons },
  },
  docs,
  guides,
  mail,
  upstream,
  portalScopes,
  notFound,
}
