import type * as english from '../en/device'
import { translation } from '../translation'

export const device = translation<typeof english.device>()({
  title: '连接设备',
  intro: '请输入设备上显示的代码，例如电视或命令行。',
  code: '代码',
  codeHint: '八个字母。大小写、空格和连字符均不影响。',
  next: '继续',
  nextBusy: '正在检查…',
  problem: '未能完成',
  missing: '请输入设备上显示的代码。',
  malformed: '代码由八个字母组成，例如 WDJB-MJHT。请在设备上核对。',
  wrong: '此代码无效，可能已过期或已使用。请在设备上获取新的代码。',
  slowDown: {
    one: '错误代码过多。请等待 {count} 分钟后再试。',
    other: '错误代码过多。请等待 {count} 分钟后再试。',
  },
  confirmTitle: '您的设备上显示的是这个代码吗？',
  onlyIf: '请仅在由您发起时继续',
  onlyIfText: '代码必须显示在您面前的设备上。如果是别人把代码或链接发给您，对方是想进入您的账户。',
  app: '应用',
  place: '大致位置',
  address: 'IP 地址',
  unknown: '未知',
  when: '请求时间',
  confirm: '是，继续',
  confirming: '正在继续…',
  notMine: '不，这不是我的设备',
  another: '输入其他代码',
  done: {
    approved: {
      title: '您的设备已连接',
      text: '请返回您的设备，它会在几秒钟后继续。您可以关闭此页面。',
    },
    refused: {
      title: '已拒绝该设备',
      text: '它无法访问您的账户。您可以关闭此页面。',
    },
    blocked: {
      title: '无法连接该设备',
      text: '您的账户不能使用此应用，或该应用请求了它不能拥有的权限。请联系其发布者或您的管理员。',
    },
    answered: {
      title: '此代码已被使用',
      text: '已有人为该设备作出答复。如果设备仍在等待，请在设备上获取新的代码。',
    },
    expired: {
      title: '此代码已过期',
      text: '请在设备上获取新的代码，然后在此输入。',
    },
  },
  apps: '您可以随时在账户的“应用”中结束其访问。',
  openApps: '打开我的应用',
})
