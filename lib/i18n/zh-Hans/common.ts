import type * as english from '../en/common'
import { translation } from '../translation'

export const portal = translation<typeof english.portal>()({
  description: '一次登录，即可使用所有应用。',
})

export const frame = translation<typeof english.frame>()({
  skip: '跳到正文',
  home: '{name} 首页',
  language: '语言',
  theme: '外观',
  themes: { system: '自动', light: '浅色', dark: '深色' },
})

export const common = translation<typeof english.common>()({
  copy: '复制',
  copied: '已复制',
  backToFront: '返回首页',
  problem: '请检查以下内容：',
  showPassword: '显示密码',
  show: '显示',
  hide: '隐藏',
  capsLock: '大写锁定已开启',
  messageFrom: '来自 {app} 的消息',
})

export const notFound = translation<typeof english.notFound>()({
  title: '页面不存在',
  body: '链接可能已失效，或网址输入有误。请检查网址，或前往首页。',
})
