import type * as english from '../en/outbox'
import { translation } from '../translation'

export const outbox = translation<typeof english.outbox>()({
  title: '发件箱',
  text: '最近 30 天内从本站发出的内容：邮件、发给应用的登出通知和 Webhook 事件。此处从不显示其正文。发送失败的消息会在大约一天内重试。',
  empty: '本站尚未发出任何内容。',
  kind: '类型',
  kinds: {
    mail: '邮件',
    backchannel_logout: '登出通知',
    webhook: 'Webhook 事件',
    callback: '访问申请的答复',
  },
  state: '状态',
  states: { waiting: '等待中', delivered: '已送达', failed: '失败', cancelled: '已取消' },
  to: '发给 {name}',
  toNobody: '收件方未知',
  unknown: '旧版本的消息',
  tries: { one: '已尝试 {count} 次', other: '已尝试 {count} 次' },
  nextTry: '下次尝试：{when}',
  retry: '重试',
  retrying: '正在重试…',
  cancel: '取消',
  cancelling: '正在取消…',
  done: {
    outboxRetried: '正在重新发送该消息。请稍后重新加载页面查看结果。',
    outboxCancelled: '该消息已取消，不会发送。您仍可以重试。',
    outboxRefused: '未作任何更改。该消息可能已送达、正在发送，或者是账户安全通知，后者无法取消。',
  },
})
