import type * as english from '../en/front-door'
import { translation } from '../translation'

export const frontDoor = translation<typeof english.frontDoor>()({
  title: '我们没有接受这个表单',
  text: '它来自其他网站，或者您的浏览器没有说明它来自哪里。没有更改任何内容。请在这里打开页面，然后重新提交表单。',
  link: '前往首页',
})
