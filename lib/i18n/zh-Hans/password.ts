import type * as english from '../en/password'
import { translation } from '../translation'

export const password = translation<typeof english.password>()({
  hint: '至少 {count} 个字符。几个互不相关的词就很好。',
  missing: '请设置密码。',
  short: '密码至少需要 {count} 个字符。',
  long: '密码过长，最多 1,024 字节。',
  common: '这个密码很容易被猜到，请换一个不常见的。',
  own: '这个密码由您自己的姓名、邮箱或此门户的名称组成。请选用与您无关的词。',
  strength: {
    more: '还需要 {count} 个字符。',
    oneMore: '还需要 1 个字符。',
    scores: {
      0: '非常容易被猜到。试试几个互不相关的词。',
      1: '容易被猜到。请再加一个词。',
      2: '可能被猜到。再加一个词会更好。',
      3: '这个密码不错。',
      4: '这个密码很强。',
    },
  },
})
