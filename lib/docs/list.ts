/**
 * The documents at /docs, in the order in which they are listed. Each is one Markdown file, which
 * reads as well on GitHub. A test compares the titles with the files.
 */

export const DOCS = '/docs'
/** The language of every document; only the frame around them is translated. */
export const DOCUMENT_LANGUAGE = 'en'
export const DOCUMENT_GROUPS = ['concepts', 'howTo', 'operations', 'reference', 'project'] as const

export type DocumentGroup = (typeof DOCUMENT_GROUPS)[number]
/**
 * `path` is the address below /docs, and the file below docs/ unless `file` names another. Lists
 * that name everything are `foundLast`: they would stand before the page that explains it.
 */
export type ListedDocument = {
  group: DocumentGroup
  path: string
  title: string
  file?: string
  foundLast?: true
  /** Too long for one page: each of its parts has a page of its own below it. */
  inParts?: true
  /** Other words for it, for the command palette. */
  also?: string
}

export const DOCUMENTS: readonly ListedDocument[] = [
  { group: 'concepts', path: 'concepts', title: 'Concepts' },
  { group: 'concepts', path: 'glossary', title: 'Glossary' },

  { group: 'howTo', path: 'how-to/protect-an-api', title: 'Protect an API' },
  {
    group: 'howTo',
    path: 'how-to/sign-in-with-a-framework',
    title: 'Sign users in with a framework',
  },
  {
    group: 'howTo',
    path: 'how-to/sign-in-on-a-device',
    title: 'Sign in on a device without a keyboard',
  },
  { group: 'howTo', path: 'how-to/machine-to-machine', title: 'Call an API from a machine' },
  { group: 'howTo', path: 'how-to/exchange-tokens', title: 'Let a service act for a user' },
  { group: 'howTo', path: 'how-to/roles-per-customer', title: 'Give roles per customer' },
  { group: 'howTo', path: 'how-to/conditions', title: 'Grant under a condition' },
  { group: 'howTo', path: 'how-to/step-up', title: 'Ask for a stronger sign-in' },
  {
    group: 'howTo',
    path: 'how-to/ask-for-access',
    title: 'Ask for access and approve it',
    also: 'emergency break glass',
  },
  { group: 'howTo', path: 'how-to/review-access', title: 'Review who has access' },
  {
    group: 'howTo',
    path: 'how-to/let-clients-register',
    title: 'Let applications register themselves',
  },
  { group: 'howTo', path: 'how-to/protect-an-mcp-server', title: 'Protect an MCP server' },
  { group: 'howTo', path: 'how-to/agents', title: 'Let an agent manage the portal' },
  { group: 'howTo', path: 'how-to/log-out-everywhere', title: 'Log out everywhere' },
  {
    group: 'howTo',
    path: 'how-to/rotate-secrets-and-keys',
    title: 'Rotate secrets and keys without downtime',
  },
  { group: 'howTo', path: 'how-to/invite-users', title: 'Invite users' },
  { group: 'howTo', path: 'how-to/see-what-a-user-sees', title: 'See what a user sees' },
  { group: 'howTo', path: 'how-to/migrate-users', title: 'Migrate users' },
  { group: 'howTo', path: 'how-to/debug-a-refused-scope', title: 'Debug a refused scope' },
  {
    group: 'howTo',
    path: 'how-to/replay-a-change',
    title: 'Try a policy change on last month’s decisions',
  },
  { group: 'howTo', path: 'how-to/brand-the-portal', title: 'Brand the portal' },
  { group: 'howTo', path: 'how-to/set-up-mail', title: 'Set up mail' },
  { group: 'howTo', path: 'how-to/sign-in-by-mail', title: 'Let users sign in by mail' },
  { group: 'howTo', path: 'how-to/add-a-provider', title: 'Add a sign-in provider' },
  { group: 'howTo', path: 'how-to/go-to-production', title: 'Go to production' },

  { group: 'operations', path: 'operations', title: 'Operations' },
  { group: 'operations', path: 'operations/deploy', title: 'Deploy' },
  {
    group: 'operations',
    path: 'operations/backup',
    title: 'Back up and restore',
    also: 'backup dump recovery',
  },
  { group: 'operations', path: 'operations/upgrade', title: 'Upgrade' },
  { group: 'operations', path: 'operations/scale-out', title: 'Scale out' },
  {
    group: 'operations',
    path: 'operations/observe',
    title: 'Observe',
    also: 'logs metrics monitoring prometheus',
  },
  { group: 'operations', path: 'operations/harden', title: 'Harden' },
  { group: 'operations', path: 'scale', title: 'Scale' },

  { group: 'reference', path: 'integration', title: 'Integration' },
  { group: 'reference', path: 'quick-starts', title: 'Quick starts' },
  { group: 'reference', path: 'configuration', title: 'Configuration' },
  { group: 'reference', path: 'errors', title: 'Errors and reason codes' },
  { group: 'reference', path: 'events', title: 'Events' },

  {
    group: 'project',
    path: 'changelog',
    title: 'Changelog',
    file: 'CHANGELOG.md',
    foundLast: true,
  },
  { group: 'project', path: 'security', title: 'Security' },
  {
    group: 'project',
    path: 'attacks',
    title: 'Attacks and bad input',
    foundLast: true,
    inParts: true,
  },
  { group: 'project', path: 'architecture', title: 'Architecture' },
  { group: 'project', path: 'performance', title: 'Performance' },
  { group: 'project', path: 'testing', title: 'Testing' },
  { group: 'project', path: 'contributing', title: 'Contributing' },
]

export function addressOf({ path }: Pick<ListedDocument, 'path'>): string {
  return `${DOCS}/${path}`
}

export function fileOf({ path, file }: ListedDocument): string {
  return file ?? `docs/${path}.md`
}
