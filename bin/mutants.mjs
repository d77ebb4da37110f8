// node bin/mutants.mjs [WORD of the rule]: breaks one rule of the code at a time and names the
// tests that notice it. Needs a clean working tree and restores it; exits with 1 if no test notices
// a broken rule.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, bundle, main, prepareTests, ROOT, SetupError, step } from './setup.mjs'

const REPORT = join(ROOT, 'dist/mutants.json')

/** The search is not told where to look, so the sequence that it found is printed. */
const BY_SEARCH = {
  tests: ['privilege-search', '--bail=1'],
  says: true,
  env: { RANKS_ROUNDS: '5' },
}

/** The same, by these alone. */
const by = (who) => ({ ...BY_SEARCH, env: { RANKS_ROUNDS: '10', RANKS_WHO: who } })
const BY_AGENTS = by('agent of')
const BY_SERVICES = by('exchanges tokens')
/** Few of an attacker's moves lead there, so the test that goes straight there may be first. */
const BY_DECIDERS = { tests: ['in-process/deciders', '--bail=1'], says: true }

/**
 * `from` occurs exactly once; `tests` are files of e2e that should notice. `says`: also print
 * what the tests found.
 */
const MUTANTS = [
  {
    rule: 'a code is spent by one statement',
    file: 'lib/store/tokens/codes.ts',
    from: ' AND "usedAt" IS NULL',
    to: '',
    tests: ['token-authorization-code', 'conformance'],
  },
  {
    rule: 'redirect URIs are compared byte for byte',
    file: 'lib/oidc/target.ts',
    from: 'if (application.redirectUris.includes(redirectUri)) return true',
    to: 'if (application.redirectUris.some((known) => redirectUri.startsWith(known))) return true',
    tests: ['authorize-redirect-uri'],
  },
  {
    rule: 'an access token is for its audience only',
    file: 'lib/api/http/caller.ts',
    from: 'if (!claims || ![claims.aud].flat().includes(audience)) throw invalidToken(op, audience)',
    to: 'if (!claims || audience === null) throw invalidToken(op, audience)',
    tests: ['api/callers', '/token.test'],
  },
  {
    rule: 'a client assertion is for this issuer only',
    file: 'lib/oidc/assertion.ts',
    from: 'if (accepted.some((one) => one === only)) return null',
    to: 'if (accepted.length > 0 && only) return null',
    tests: ['assertion'],
  },
  {
    rule: 'PKCE: the verifier proves the challenge',
    file: 'lib/oidc/pkce.ts',
    from: 'return sameDigest(sha256(verifier), challenge)',
    to: 'return sha256(verifier).length === challenge.length',
    tests: ['in-process/pkce'],
  },
  {
    rule: 'PKCE: an application that has used it keeps it',
    file: 'lib/oidc/pkce.ts',
    from: "  if (pkceLearned) return 'pkce_learned'\n",
    to: '',
    tests: ['in-process/pkce-learned'],
  },
  {
    rule: 'PKCE: only an authenticated client teaches it',
    file: 'lib/oidc/pkce.ts',
    from: "  return confidential && application.pkce === 'learned'",
    to: "  return application.pkce === 'learned'",
    tests: ['oidc/pkce'],
  },
  {
    rule: 'a consent is answered by the browser that was asked (CSRF)',
    file: 'lib/oidc/authorize.ts',
    from: `  if (!interaction || secret === null) return null
  return sameDigest(op.hashSecret(secret), interaction.browserHash) ? interaction : null`,
    to: '  return secret === undefined ? null : interaction',
    tests: ['authorize-parameters', 'authorize-flows'],
  },
  {
    rule: 'impersonation: nobody is in the account of somebody above them',
    file: 'lib/access/impersonation.ts',
    from: "  return mayActAs ? null : 'impersonation_above'",
    to: '  return null',
    tests: ['access/impersonation', 'in-process/impersonation'],
  },
  {
    rule: 'impersonation: it gets no code for an application',
    file: 'lib/oidc/authorize.ts',
    from: "  if (found?.impersonation && !ask.prompt.includes('none')) return seeOther(IMPERSONATED)\n  const session = found?.impersonation ? null : found",
    to: '  const session = found',
    tests: ['in-process/impersonation'],
  },
  {
    rule: 'impersonation: its cookie calls nothing',
    file: 'lib/api/http/caller.ts',
    from: "  if (session.impersonation) throw new Problem('forbidden', errorMessage('impersonated'))\n",
    to: '',
    tests: ['in-process/impersonation'],
  },
  {
    rule: 'ranks: an admin role is given by those who hold all of it',
    file: 'lib/access/authority.ts',
    from: "      return missingScopes(authority, ['admin-roles:write', ...privilege.scopes])",
    to: '      return []',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks: to be somebody takes all that they may do',
    file: 'lib/access/authority.ts',
    from: '...missingScopes(authority, privilege.scopes),\n        ...missingApis',
    to: '...missingApis',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks: what is given is no wider than what is held',
    file: 'lib/access/authority.ts',
    from: 'return sameCondition && noEarlier && noLater',
    to: 'return sameCondition || noEarlier || noLater',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks: a credential gives all that its application holds',
    file: 'lib/access/authority.ts',
    from: 'const counted = grants.filter(({ api }) => api === null || !isTheirs)',
    to: 'const counted = grants.filter(({ api }) => api === null && isTheirs)',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks: an API gives its items through those who govern it',
    file: 'lib/access/authority.ts',
    from: 'return api.openToAppManagers && given.ordinary',
    to: 'return api.openToAppManagers || given.ordinary',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks: a group that gives roles is joined by those who give roles',
    file: 'lib/api/authority/privileges.ts',
    from: "...(holdsRoles ? [{ gives: 'scopes', scopes: ['assignments:write'] } as const] : []),",
    to: '',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks: a role that an application holds is changed by those who could give it',
    file: 'lib/api/authority/privileges.ts',
    from: 'if (!role || (await heldByApplications(op, policy, [role])).length === 0) return []',
    to: 'if (!role || (await heldByApplications(op, policy, [role])).length > 0) return []',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks: held now, not held then',
    file: 'lib/api/http/caller.ts',
    from: 'const scopes = new Set((await stillGranted(op, claims)).filter(isPortalScope))',
    to: 'const scopes = scopesIn(claims.scope)',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks: a webhook reads what the audit log says',
    file: 'lib/api/authority/privileges.ts',
    from: "[{ gives: 'scopes', scopes: ['audit:read'] }]",
    to: '[]',
    ...BY_SEARCH,
  },
  {
    rule: 'ranks, agents: an agent can do no more than its person',
    file: 'lib/api/http/caller.ts',
    from: 'const scopes = new Set([...held.scopes].filter((one) => theirs.has(one)))',
    to: 'const scopes = theirs.size === 0 ? theirs : held.scopes',
    ...BY_AGENTS,
  },
  {
    rule: 'ranks, agents: a change waits until the person has confirmed it',
    file: 'lib/api/mcp/server.ts',
    from: 'if (!confirmation.confirmed) return askingFor(tool, confirmation, elicits)',
    to: '',
    ...BY_AGENTS,
  },
  {
    rule: 'ranks, agents: what is rehearsed is taken back',
    file: 'lib/api/mcp/server.ts',
    from: 'throw new Rehearsed()',
    to: '',
    ...BY_AGENTS,
  },
  {
    rule: 'ranks, agents: a confirmation is used up',
    file: 'lib/api/mcp/confirmation.ts',
    from: 'const used = await op.write((tx) => consumePendingChange(tx, found.id, version, op.now()))',
    to: 'const used = version >= 0',
    ...BY_AGENTS,
  },
  {
    rule: 'ranks, agents: what the person took back is gone from the tokens',
    file: 'lib/oidc/still-granted.ts',
    from: 'const withheld = answered ? unanswered(scopes, answered) : null',
    to: 'const withheld = answered ? new Set<string>() : null',
    ...BY_AGENTS,
  },
  {
    rule: 'ranks, agents: an exchange is granted for the tokens of one application',
    file: 'lib/access/ways.ts',
    from: '(exchangeFrom === from || exchangeFrom === ANY_APPLICATION) &&',
    to: '(exchangeFrom !== from || exchangeFrom !== ANY_APPLICATION) &&',
    ...BY_SERVICES,
  },
  {
    rule: 'ranks, agents: an exchange gives nothing of the person or the portal',
    file: 'lib/access/decide-scopes.ts',
    from: 'return exchangeFrom !== undefined && (OPENID_SCOPES.has(scope) || isPortalScope(scope))',
    to: 'return exchangeFrom !== undefined && isPortalScope(scope)',
    ...BY_SERVICES,
  },
  {
    rule: 'ranks, agents: an exchange is granted by those who govern the API',
    file: 'lib/api/authority/privileges.ts',
    from: 'const ordinary = !exchangeFrom && item !== undefined && !item.sensitive && !item.needsRole',
    to: 'const ordinary = item !== undefined && !item.sensitive && !item.needsRole',
    ...by('person manager|agent of the manager|exchanges tokens'),
  },
  {
    rule: 'ranks, agents: whoever hides that a service acts governs all APIs',
    file: 'lib/api/authority/privileges.ts',
    from: "{ gives: 'scopes', scopes: ['resources:write'] },",
    to: '',
    ...by('person manager|exchanges tokens|with applications:write$'),
  },
  {
    rule: 'ranks, agents: a client that registers gets what the settings list',
    file: 'lib/api/registration/application.ts',
    from: 'const scopes = policy.scopes.filter(isNamed)',
    to: 'const scopes = [...policy.scopes.filter(isNamed), ...asked]',
    ...by('initial access token'),
  },
  {
    rule: 'ranks, agents: whoever gives an initial access token gives what it is good for',
    file: 'lib/api/settings/registration-privileges.ts',
    from: 'return privilegesOfScopes(policy, [], scopes)',
    to: 'return privilegesOfScopes(policy, scopes, scopes)',
    ...by('with settings:write$'),
  },
  {
    rule: 'ranks, deciders: whoever acts as an approver governs the API',
    file: 'lib/api/authority/privileges.ts',
    from: 'return [...privileges, ...(await privilegesOfDecidingPeople(op, users))]',
    to: 'return privileges',
    ...BY_DECIDERS,
  },
  {
    rule: 'ranks, deciders: whoever acts as somebody with roles gives roles',
    file: 'lib/api/authority/privileges.ts',
    from: "const roles = held.assignments.some((one) => one.effect === 'allow' && !isOver(one, now))",
    to: 'const roles = now < 0',
    ...BY_DECIDERS,
  },
  {
    rule: 'ranks, deciders: what waits keeps the people who decide about it',
    file: 'lib/access/deciders.ts',
    from: '...waiting.map(({ apiId, scope, terms }) => ofApi(apiId, [scope], ofStages(terms))),',
    to: '',
    ...BY_DECIDERS,
  },
  {
    rule: 'ranks, deciders: a rule that is off names people all the same',
    file: 'lib/access/deciders.ts',
    from: '...[...inForce, ...disabledRules].map(',
    to: '...inForce.map(',
    ...BY_DECIDERS,
  },
  {
    rule: 'ranks, deciders: reviewers are let in by those who could take it away',
    file: 'lib/access/deciders.ts',
    from: 'named: [...reviewers, ...fallback],',
    to: 'named: [],',
    ...BY_DECIDERS,
  },
  {
    rule: 'ranks, deciders: a role that approves is given by those who govern the API',
    file: 'lib/api/authority/privileges.ts',
    from: 'const decides = makesDecider(before, after)',
    to: 'const decides = false',
    ...BY_DECIDERS,
  },
  {
    rule: 'ranks, deciders: a parent that approves is given by those who govern the API',
    file: 'lib/api/authority/privileges.ts',
    from: '...(await privilegesOfMoving(op, policy, roleId, after)),',
    to: '',
    ...BY_DECIDERS,
  },
  {
    rule: 'ranks, deciders: the attribute of a manager is written by those who govern the API',
    file: 'lib/api/users/users.ts',
    from: '...(await privilegesOfAttributes(op, before.id, before.attributes, after.attributes)),',
    to: '',
    ...BY_DECIDERS,
  },
]

await main(async () => {
  requireCleanTree()
  await prepareTests()
  await step('build', build)
  const [word = ''] = process.argv.slice(2)
  const chosen = MUTANTS.filter(({ rule }) => rule.includes(word))
  const unnoticed = []
  for (const mutant of chosen) {
    const noticed = await redTestsOf(mutant)
    console.log(`\n${mutant.rule}: ${noticed.length} tests failed`)
    for (const { name, found } of noticed.slice(0, 8)) {
      console.log(`  ${name}${mutant.says ? `\n    ${found}` : ''}`)
    }
    if (noticed.length === 0) unnoticed.push(mutant.rule)
  }
  await bundle()
  if (unnoticed.length > 0) throw new SetupError(`no test noticed: ${unnoticed.join('; ')}`)
  console.log(`\n${chosen.length} rules broken, ${chosen.length} noticed`)
})

function requireCleanTree() {
  const { stdout } = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' })
  if (stdout.trim() !== '')
    throw new SetupError('commit or stash first: files are changed in place')
}

async function redTestsOf({ file, from, to, tests, env = {} }) {
  const path = join(ROOT, file)
  const whole = readFileSync(path, 'utf8')
  if (whole.split(from).length !== 2) throw new SetupError(`${file} has changed: update this list`)
  const restore = () => writeFileSync(path, whole)
  process.once('SIGINT', restore)
  try {
    writeFileSync(
      path,
      whole.replace(from, () => to),
    )
    await bundle()
    return runTests(tests, env)
  } finally {
    restore()
    process.off('SIGINT', restore)
  }
}

function runTests(tests, env) {
  return ['unit', 'http', 'thorough'].flatMap((project) => runIn(project, tests, env))
}

function runIn(project, tests, env) {
  rmSync(REPORT, { force: true })
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'e2e/vitest.config.ts']
  args.push('--project', project, '--reporter=json', `--outputFile=${REPORT}`, ...tests)
  spawnSync(process.execPath, [...args, '--passWithNoTests'], {
    ...{ cwd: ROOT, stdio: 'ignore' },
    env: { ...process.env, ...env },
  })
  const { testResults } = JSON.parse(readFileSync(REPORT, 'utf8'))
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, found: foundIn(failureMessages) }))
}

/** The message without its stack. */
function foundIn([message = '']) {
  const lines = message.replace(/^Error: /, '').split('\n')
  return lines.filter((line) => !/^ +at /.test(line)).join('\n    ')
}
