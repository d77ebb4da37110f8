import type * as english from '../en/front'
import { translation } from '../translation'

export const front = translation<typeof english.front>()({
  headline: '一次登录，处处通行。',
  about: '{name} 保管您的账户，并告诉每个应用您是谁、可以做什么。',
  signIn: '登录',
  discovery: '发现文档',
  docs: 'API 参考',
  version: '版本 {version}',
  hello: '您好，{name}。',
  helloStranger: '您好。',
  signedIn: '您已登录，使用此门户的应用会为您放行。',
  account: '您的账户',
  manage: '管理您的账户',
  name: '姓名',
  email: '邮箱',
  since: '登录时间',
  notGiven: '未填写',
  administers: '您是此门户的管理人员。',
  signOut: '退出登录',
  administration: '打开管理页面',
})
