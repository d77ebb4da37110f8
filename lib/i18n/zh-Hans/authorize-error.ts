import type * as english from '../en/authorize-error'
import { translation } from '../translation'

export const authorizeError = translation<typeof english.authorizeError>()({
  title: '无法继续登录',
  text: '应用发送的请求无效，登录已停止。请返回应用重试；如果问题仍然存在，请联系应用的发布者。',
  reason: '原因',
  reference: '编号',
})
