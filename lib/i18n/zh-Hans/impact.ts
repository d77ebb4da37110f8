import type * as english from '../en/impact'
import { translation } from '../translation'

export const terms = translation<typeof english.terms>()({
  effect: '效果',
  effectHint: '拒绝优先于任何允许。',
  allow: '允许',
  deny: '拒绝',
  denies: '拒绝',
  validFrom: '生效时间',
  validUntil: '失效时间',
  validHint: 'UTC 时间。留空则不限。',
  always: '始终',
  ended: '已过期',
  from: '生效于',
  until: '失效于',
  when: '条件',
  exchange: '通过令牌交换，用于 {app} 的令牌',
  exchangeAny: '通过令牌交换，用于任何应用的令牌',
})

export const impact = translation<typeof english.impact>()({
  look: '预览影响',
  confirmSave: '确认并保存',
  confirmDelete: '确认并删除',
  title: '此更改的影响',
  looking: '正在检查此更改涉及的所有用户和应用。',
  soFar: '已检查 {percent}%，目前有 {count} 个受影响',
  stop: '停止',
  incomplete: {
    first: '数量过多，无法在此全部检查。以下是最前面一部分的结果。',
    stopped: '您已停止检查。以下是目前的结果。',
    failed: '检查未能完成。以下是目前的结果。请再次预览以重新检查。',
  },
  nobody: '没有用户或应用会获得或失去权限。',
  some: {
    one: '{count} 个用户或应用会获得或失去权限。',
    other: '{count} 个用户和应用会获得或失去权限。',
  },
  liveTokens: {
    one: '{count} 个有效令牌包含将失去的权限。在过期或续期之前，它仍包含这些权限。',
    other: '{count} 个有效令牌包含将失去的权限。在过期或续期之前，它们仍包含这些权限。',
  },
  gains: '获得',
  loses: '失去',
  mayGain: '有条件地获得',
  mayLose: '有条件地失去',
  more: '再显示 {count} 个',
  notListed: { one: '另有 {count} 个未列出。', other: '另有 {count} 个未列出。' },
  types: { user: '用户', client: '应用', key: '访问密钥' },
  basis: '预览按当前时间和各用户的属性计算。取决于 IP 地址、登录方式或其他条件的权限会另外标出。',
  confirmHint: '尚未保存。请在下方确认，或修改后再次预览。',
})
