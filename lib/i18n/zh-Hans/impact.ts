import type * as english from '../en/impact'
import { translation } from '../translation'

export const terms = translation<typeof english.terms>()({
  effect: '效果',
  effectHint: '被拒绝的内容始终被拒绝，无论其他授权如何。',
  allow: '允许',
  deny: '拒绝',
  denies: '拒绝',
  validFrom: '开始',
  validUntil: '结束',
  validHint: 'UTC 时间。留空：不限。',
  always: '始终',
  ended: '已结束',
  from: '开始于',
  until: '结束于',
  when: '条件',
})

export const impact = translation<typeof english.impact>()({
  look: '查看此更改的影响',
  confirmSave: '确认并保存',
  confirmDelete: '确认并删除',
  title: '此更改的影响',
  nobody: '没有人会得到或失去任何权限。',
  one: '1 个用户或应用会得到或失去权限。',
  many: '{count} 个用户和应用会得到或失去权限。',
  liveTokens: '带有将失去权限的令牌：{count} 个。它们在到期或续期前仍然有效。',
  gains: '得到',
  loses: '失去',
  mayGain: '视条件得到',
  mayLose: '视条件失去',
  more: '再显示 {count} 个',
  notListed: '另有 {count} 个未列出。',
  types: { user: '用户', client: '应用', key: '访问密钥' },
  occasion:
    '按当前时间和每个用户自己的属性计算。取决于来源地址、登录方式或其他条件的权限会另外标出。',
  confirmHint: '尚未保存。请在下方确认，或修改后再次查看。',
})
