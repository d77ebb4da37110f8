import type * as english from '../en/failure'
import { translation } from '../translation'

export const failure = translation<typeof english.failure>()({
  title: '服务器出现问题',
  body: '这不是您的问题。请重试；如果问题仍然存在，请联系门户管理员。',
  bodyWithReference: '这不是您的问题。请重试；如果问题仍然存在，请将此编号告知门户管理员：',
  retry: '重试',
  back: '返回首页',
  copy: '复制',
  copied: '已复制',
})
