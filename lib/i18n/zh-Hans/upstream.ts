import type * as english from '../en/upstream'
import { translation } from '../translation'

export const upstream = translation<typeof english.upstream>()({
  or: '或',
  ways: '其他登录方式',
  continueWith: '使用 {provider} 继续',
  leaving: '正在前往 {provider}…',
  leaveTitle: '前往 {provider}',
  leaveText: '请在 {provider} 登录，之后会返回这里。如果没有反应，请点击按钮。',
  leaveLink: '前往 {provider}',
  someProvider: '登录提供方',
  problem: '您尚未登录',
  notDone: '未作任何更改',
  problems: {
    unavailable: '暂时无法连接 {provider}。请几分钟后重试，或使用其他方式登录。',
    cancelled: '您在 {provider} 取消了登录。请重试，或使用其他方式登录。',
    failed: '{provider} 返回的内容无效，登录已停止。请重试；如果问题仍然存在，请联系门户管理员。',
    expired: '操作超时、已经完成，或是在另一个浏览器中发起的。请重新开始。',
    unknown:
      '此 {provider} 账户未关联到这里的账户。如果您已有账户，请使用其他方式登录；如果没有，请联系门户管理员。',
    address_taken: '已有使用此邮箱的账户。请先登录该账户，然后在“安全”中关联 {provider}。',
    slow_down: '尝试次数过多。请等待几分钟后再试。',
    identity_taken:
      '此 {provider} 账户已关联到这里的另一个账户。请先在那个账户中取消关联，或在 {provider} 选择其他账户。',
    not_you: '这不是在此关联的 {provider} 账户。请重试。',
    not_fresh:
      '{provider} 未确认您刚刚登录。请在 {provider} 退出登录后重试，或使用其他方式。如果您没有密码，可以获取设置密码的链接。',
    cannot_say:
      '{provider} 无法确认您的登录时间。请使用其他方式。如果您没有密码，可以获取设置密码的链接。',
  },
  silent:
    '应用要求重新登录，而 {providers} 无法确认。请使用密码或通行密钥。如果您没有密码，请获取设置密码的链接。',
  choosePassword: '获取设置密码的链接',
  security: {
    title: '已关联的账户',
    text: '您用来在此登录的第三方账户。',
    none: '尚未关联。',
    connected: '关联于{when}',
    used: '上次使用：{when}',
    neverUsed: '尚未使用',
    notUsable: '此门户已不再使用该登录提供方',
    connect: '关联账户',
    disconnect: '取消关联',
    disconnectNamed: '取消关联 {name}',
    disconnecting: '正在取消关联…',
    disconnectText: '您将无法再用 {name} 在此登录。您在 {name} 的账户本身不受影响。',
    disconnectConfirm: '取消关联此账户',
    lastWay: '这是您唯一的登录方式。请先设置密码或关联另一个账户，然后再取消关联。',
  },
  connect: {
    title: '关联账户',
    intro: '请选择登录提供方并在那里登录。之后，您就可以用那个账户在此登录。',
    nowhere: '此门户没有其他登录提供方。',
  },
  confirm: {
    again: '使用 {provider} 重新登录',
    intro: '您没有设置密码，请用您登录时使用的账户确认。',
    silent: '{providers} 无法确认您的登录时间。',
    none: '您没有其他方式来确认是您本人。请获取设置密码的链接，用密码登录，然后再返回这里。',
    askForHelp: '您没有其他方式来确认是您本人。请联系门户管理员。',
  },
})
