import type * as english from '../en/first-token'
import { translation } from '../translation'

export const firstToken = translation<typeof english.firstToken>()({
  title: '获取令牌',
  intro: '选择一个机器应用和权限。您会看到请求令牌的命令，以及它取得的令牌。',
  back: '入门步骤',
  application: '应用',
  applicationHint: '系统会为此命令创建一个新密钥，一天后过期。',
  permissions: '权限',
  permissionsHint: '应用尚未拥有的权限会一并授予。',
  submit: '获取令牌',
  submitting: '正在请求…',
  tickFirst: '请至少选择一项权限。',
  noApplication: '请先创建一个机器应用和一个带权限的 API。',
  secretName: '第一个令牌',
  made: '这就是令牌',
  madeText: '它由下面的命令取得。一天之内可以随时再次运行。',
  command: '命令',
  answer: '响应',
  refused: '请求被拒绝',
  inspect: '解读此令牌',
  finish: '前往概览',
})
