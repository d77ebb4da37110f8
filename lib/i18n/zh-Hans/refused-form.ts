import type * as english from '../en/refused-form'
import { translation } from '../translation'

export const refusedForm = translation<typeof english.refusedForm>()({
  title: '表单未被接受',
  text: '该表单来自其他网站，或浏览器未说明其来源。未作任何更改。请在此门户中打开页面，然后重新提交。',
  link: '前往首页',
})
