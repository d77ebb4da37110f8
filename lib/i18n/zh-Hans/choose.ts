import type * as english from '../en/choose'
import { translation } from '../translation'

export const choose = translation<typeof english.choose>()({
  list: '建议',
  results: { one: '{count} 条结果', other: '{count} 条结果' },
  none: '没有结果。请检查写法。',
  searching: '正在搜索…',
  failed: '搜索没有响应。您可以输入准确的名称或 ID。',
  unknown: '找不到“{text}”。请从列表中选择，或输入准确的名称或 ID。',
  missing: '请从列表中选择，或输入名称或 ID。',
  several: '有多个“{text}”。请从列表中选择，或输入 ID。',
  chosen: '已选择',
  keep: '取消勾选即可移除。',
})
