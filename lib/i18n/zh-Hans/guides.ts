import type * as english from '../en/guides'
import { translation } from '../translation'

export const guides = translation<typeof english.guides>()({
  title: '文档',
  lead: '此门户如何工作、如何接入应用和 API，以及如何运行它。',
  navigation: '文档列表',
  open: '查找文档',
  search: '搜索文档',
  searchHint: '词语或代码',
  submit: '搜索',
  results: '“{question}”的搜索结果',
  found: '{count} 条结果',
  foundOne: '1 条结果',
  nothingFound: '没有找到。请换一个词，或只输入词的一部分。',
  all: '全部文档',
  link: '{name} 的链接',
  table: '表格',
  code: {
    commands: '命令',
    answer: '响应',
    request: '请求',
    example: '示例',
  },
  filled: '示例使用此门户的地址：{origin}',
  application: '示例中的应用',
  applicationNone: '无：YOUR_CLIENT_ID',
  fill: '填入',
  onlyEnglish: '文档正文目前只有英文版，请用英文词语搜索。',
  groups: {
    concepts: '概念',
    howTo: '操作指南',
    operations: '运维',
    reference: '参考',
    project: '项目',
  },
})
