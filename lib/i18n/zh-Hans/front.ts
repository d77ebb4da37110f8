import type * as english from '../en/front'
import { translation } from '../translation'

export const front = translation<typeof english.front>()({
  headline: '一次登录，即可使用所有应用。',
  about: '{name} 管理您的账户，并告知各个应用您的身份和权限。',
  signIn: '登录',
  discovery: '发现文档',
  docs: 'API 参考',
  version: '版本 {version}',
  hello: '您好，{name}。',
  helloUnknown: '您好。',
  signedIn: '您已登录，现在可以使用接入此门户的应用。',
  account: '您的账户',
  manage: '管理您的账户',
  name: '姓名',
  email: '邮箱',
  since: '登录时间',
  notGiven: '未填写',
  signOut: '退出登录',
})
