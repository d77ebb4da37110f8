import type * as english from '../en/configuration'
import { translation } from '../translation'

export const configuration = translation<typeof english.configuration>()({
  title: '应用配置文档',
  text: '由 npm run export 生成、npm run apply 读取的文档：以 JSON 描述 API、角色、应用和设置。文档未提到的内容保持不变，其中不含密钥。',
  file: '文件',
  document: '或粘贴文档',
  check: '查看会更改的内容',
  checking: '正在检查…',
  missing: '请选择文件或粘贴文档。',
  notJson: '这不是 JSON。请检查引号、逗号和括号。',
  nothing: '无需更改：门户已与文档一致。',
  changes: '将会更改',
  changesText: '+ 表示创建，~ 表示更改，- 表示删除。目前尚未做任何更改。',
  go: '执行 {count} 项更改',
  goOne: '执行 1 项更改',
  going: '正在应用…',
})
