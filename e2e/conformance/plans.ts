import { basicModules, type Module } from './basic'
import { dynamicModules, thirdPartyModules } from './dynamic'
import { backchannelModules, configModules, type LogoutReceiver, logoutModules } from './others'

/** The foundation's plans, by their names. */

export type Plan = { name: string; formPost: boolean; modules: Record<string, Module> }

export function plans(receiver: LogoutReceiver | null): Plan[] {
  const plan = (name: string, modules: Record<string, Module>, formPost = false): Plan => ({
    name,
    formPost,
    modules,
  })
  return [
    plan('oidcc-config-certification-test-plan', configModules),
    plan('oidcc-basic-certification-test-plan', basicModules),
    plan('oidcc-formpost-basic-certification-test-plan', basicModules, true),
    plan('oidcc-rp-initiated-logout-certification-test-plan', logoutModules),
    plan('oidcc-dynamic-certification-test-plan', dynamicModules(receiver)),
    plan('oidcc-3rdparty-init-login-certification-test-plan', thirdPartyModules),
    ...(receiver
      ? [
          plan(
            'oidcc-backchannel-rp-initiated-logout-certification-test-plan',
            backchannelModules(receiver),
          ),
        ]
      : []),
  ]
}

/** A few modules of each plan, which between them visit every endpoint and both ways to answer. */
const SHORT: readonly string[] = [
  ...['oidcc-discovery-endpoint-verification', 'oidcc-server', 'oidcc-userinfo-post-body'],
  ...['oidcc-prompt-login', 'oidcc-prompt-none-logged-in', 'oidcc-codereuse'],
  ...['oidcc-ensure-registered-redirect-uri', 'oidcc-server-client-secret-post'],
  ...['oidcc-refresh-token', 'oidcc-ensure-request-with-valid-pkce-succeeds'],
  ...['oidcc-rp-initiated-logout', 'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri'],
  ...['oidcc-3rd_party-init-login', 'oidcc-3rd_party-init-login-nohttps'],
  ...['oidcc-registration-jwks-uri', 'oidcc-server-rotate-keys', 'oidcc-userinfo-rs256'],
  ...['oidcc-backchannel-rp-initiated-logout'],
]
/** Of a plan whose modules are those of another one: what it is about. */
const ONE_EACH: readonly string[] = ['oidcc-server']

export function shortPlans(receiver: LogoutReceiver | null): Plan[] {
  return plans(receiver).map((plan) => {
    const names = plan.formPost ? ONE_EACH : SHORT
    const chosen = Object.entries(plan.modules).filter(([name]) => names.includes(name))
    return { ...plan, modules: Object.fromEntries(chosen) }
  })
}
