import type * as english from '../en/setup'
import { translation } from '../translation'

export const setup = translation<typeof english.setup>()({
  title: '设置此门户',
  intro: '创建第一个账户。它将成为此门户的所有者，并可邀请其他用户。',
  name: '您的姓名',
  email: '邮箱',
  emailHint: '用于登录。',
  password: '密码',
  submit: '创建账户',
  submitting: '正在创建账户…',
  linkClosed: '此设置链接已过期或已被使用。请重新运行 npm start 获取新的链接。',
  nameMissing: '请输入您的姓名。',
  nameLong: '姓名最多 100 个字符。',
  emailMissing: '请输入您的邮箱地址。',
  emailWrong: '请输入有效的邮箱地址，例如 name@example.org。',
  closedTitle: '此设置链接已失效',
  closed: '链接已过期或已被使用。请重新启动门户以获取新链接：',
  closedHint: '如果门户已设置完成，请直接登录。',
})
