/** Example conditions; the reference shows them, and a test compiles them. */
export const CONDITION_EXAMPLES = {
  network: 'inNetwork(request.ip, "10.0.0.0/8")',
  hours:
    'request.time.getDayOfWeek("Europe/Zurich") in [1, 2, 3, 4, 5] && request.time.getHours("Europe/Zurich") >= 8 && request.time.getHours("Europe/Zurich") < 18',
  login: 'atLeast(auth.acr, "mfa") && auth.age < 300',
  attribute: 'user.department == "sales" || "auditors" in user.teams',
  resource: '!has(resource.properties) || resource.properties.status != "archived"',
  exchange: 'request.exchange.registration == "admin" && "orders:write" in request.exchange.scope',
  authzen: 'action.name != "delete" || subject.properties.role == "admin"',
} as const

/**
 * What a condition can read, for the help beside its field; `department` stands for any attribute.
 */
export const CONDITION_MEMBERS = [
  'request.ip',
  'request.time',
  'request.user_agent',
  'request.grant_type',
  'request.exchange',
  'request.context',
  'user.id',
  'user.department',
  'auth.acr',
  'auth.amr',
  'auth.age',
  'client.id',
  'client.application_id',
  'resource.audience',
  'resource.scope',
  'resource.id',
  'resource.properties',
  'subject.properties',
  'action.name',
] as const
