import type * as english from '../en/password'
import { translation } from '../translation'

export const password = translation<typeof english.password>()({
  hint: '至少 {count} 个字符。建议使用几个互不相关的词。',
  missing: '请设置密码。',
  short: '密码至少需要 {count} 个字符。',
  long: '密码过长，最多 1,024 字节。',
  common: '密码过于常见，容易被猜到。请换一个。',
  own: '密码包含您的姓名、邮箱或此门户的名称。请使用与您无关的词。',
  breached: '此密码已在数据泄露中出现，攻击者会最先尝试它。请换一个，并在其他使用它的地方也更换。',
  strength: {
    more: { one: '还需要 {count} 个字符。', other: '还需要 {count} 个字符。' },
    scores: {
      0: '非常容易被猜到。试试几个互不相关的词。',
      1: '容易被猜到。请再加一个词。',
      2: '可能被猜到。请再加一个词。',
      3: '密码强度良好。',
      4: '密码强度高。',
    },
  },
})
