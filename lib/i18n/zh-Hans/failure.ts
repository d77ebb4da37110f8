import type * as english from '../en/failure'
import { translation } from '../translation'

export const failure = translation<typeof english.failure>()({
  title: '我们这边出了点问题',
  body: '这不是您的错，重试往往就能解决。如果问题一再出现，请告诉此门户的管理人员。',
  bodyWithReference:
    '这不是您的错，重试往往就能解决。如果问题一再出现，请把这个编号告诉此门户的管理人员：',
  retry: '重试',
  back: '返回首页',
  copy: '复制',
  copied: '已复制',
})
