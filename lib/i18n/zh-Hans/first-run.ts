import type * as english from '../en/first-run'
import { translation } from '../translation'

export const firstRun = translation<typeof english.firstRun>()({
  step: '第 {at} 步，共 {all} 步',
  next: '继续',
  or: '或',
  passkey: '改用通行密钥，不设密码',
  passkeyWaiting: '正在等待您的设备…',
  passkeyWrong: '无法使用该通行密钥。请重新加载页面后重试。',
  protect: {
    title: '保护您的账户',
    intro: '您是此门户的所有者，建议为账户添加第二重验证，用时不到一分钟。也可以稍后再做。',
    passkey: '创建通行密钥',
    waiting: '正在等待您的设备…',
    app: '使用验证器应用',
    skip: '暂不设置',
  },
  check: {
    title: '一切就绪了吗？',
    intro:
      '门户已检查其地址、邮件和时钟。缺少的部分可以现在或稍后补上：完成之前，概览页会一直显示。',
  },
  start: {
    title: '您想如何开始？',
    intro: '之后可以更改和删除所有内容。',
    empty: '从空门户开始',
    emptyText: '概览页会引导您创建第一个 API、应用和令牌。',
    emptyGo: '从空白开始',
    sample: '使用示例商店',
    sampleText: '一个带三项权限的 API、两个角色、一个 Web 应用和一个机器应用。不创建用户和密钥。',
    sampleGo: '加载示例商店',
    sampleGoing: '正在加载…',
    import: '使用您自己的配置',
    importText: '粘贴或上传配置文档。执行之前，您会看到每一项更改。',
    importGo: '导入配置',
  },
  awaits: {
    title: '此门户还没有所有者',
    text: '在创建第一个账户之前，任何人都无法登录。创建账户的链接在服务器的输出中，位于“Create the first admin”之后的一行。',
    again:
      '该链接只能使用一次，有效期 15 分钟。要获取新链接，请重新启动门户，或在服务器上运行此命令：',
  },
})
