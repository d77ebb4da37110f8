import { basicModules, type Module } from './basic'
import { dynamicModules } from './dynamic'
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
