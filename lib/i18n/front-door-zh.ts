import type { frontDoorEn } from './front-door-en'

export const frontDoorZh: typeof frontDoorEn = {
  title: '我们没有接受这个表单',
  text: '它来自其他网站，或者您的浏览器没有说明它来自哪里。没有更改任何内容。请在这里打开页面，然后重新提交表单。',
  link: '前往首页',
}
