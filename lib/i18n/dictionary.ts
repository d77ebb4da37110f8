import type { EventName } from '../base/events'
import type { AdminWords, PeopleWords } from './compiled/words'
import type { Text } from './text'

export type Messages = ReturnType<typeof dictionary>

/** The words of one language, put together as the pages read them. */
export function dictionary(people: PeopleWords, admin: AdminWords) {
  return { ...forPeople(people), ...forAdmins(people, admin) }
}

/** Everything that people see who are no admins. */
function forPeople(words: PeopleWords) {
  return {
    ...words.common,
    ...words.signIn,
    signInCode: words.signInCode,
    choose: words.choose,
    front: words.front,
    setup: words.setup,
    errorPage: words.errorPage,
    consent: { ...words.consent, ...words.publisher },
    device: words.device,
    password: words.password,
    account: words.account,
    requests: words.requests,
    reviews: words.reviews,
    mail: words.mail,
    upstream: words.upstream,
    portalScopes: words.portalScopes,
    adminRoles: words.adminRoles,
    forbidden: words.forbidden,
    impersonation: words.impersonation,
  }
}

function forAdmins(people: PeopleWords, admin: AdminWords) {
  const events: Readonly<Record<EventName, Text>> & AdminWords['events'] = admin.events
  const errorMessages = {
    ...people.errorMessages,
    ...admin.errorMessages,
    ...admin.conditionFaults,
  }
  // In a language without words for admins, the errors that only they see are in English.
  const problems = { ...people.problems, errorMessages }
  return {
    problems,
    events,
    docs: admin.docs,
    guides: admin.guides,
    firstRun: admin.firstRun,
    admin: {
      ...pagesOfAdmins(admin),
      roles: people.adminRoles,
      problems: { ...problems, own: admin.ownErrorMessages },
    },
  }
}

function pagesOfAdmins(words: AdminWords) {
  return {
    ...words.admin,
    overview: words.overview,
    firstToken: words.firstToken,
    configuration: words.configuration,
    health: words.health,
    keys: words.keys,
    audit: words.audit,
    access: words.access,
    tools: words.tools,
    palette: words.palette,
    users: words.users,
    groups: words.groups,
    settings: words.settings,
    webhooks: words.webhooks,
    outbox: words.outbox,
    registration: words.registration,
    conditions: { ...words.conditions, faults: words.conditionFaults },
    terms: words.terms,
    impact: words.impact,
    apis: words.apis,
    requestRules: words.requestRules,
    reviews: words.reviewRounds,
    governance: words.governance,
    spaces: words.spaces,
    rolePages: words.roles,
    applications: {
      ...words.applications,
      ...words.appParts,
      credentials: words.credentials,
      refusalReasons: words.refusalReasons,
    },
  }
}
