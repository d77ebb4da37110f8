import type * as english from '../en/authorize-error'
import { translation } from '../translation'

export const authorizeError = translation<typeof english.authorizeError>()({
  title: '无法继续登录',
  text: '应用发来的请求不可信，我们已在此停止。请返回应用重试；如果问题一再出现，请告诉应用的管理人员。',
  reason: '问题所在',
  reference: '编号',
})
