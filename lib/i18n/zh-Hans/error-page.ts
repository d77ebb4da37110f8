import type * as english from '../en/error-page'
import { translation } from '../translation'

export const errorPage = translation<typeof english.errorPage>()({
  signIn: {
    title: '无法继续登录',
    text: '应用发送的请求无效，登录已停止。请返回应用重试；如果问题仍然存在，请联系应用的发布者。',
  },
  signOut: {
    title: '无法继续退出登录',
    text: '应用发送的退出登录请求无效，操作已停止。您可能仍处于登录状态。请返回应用重试，或在本站的账户页面退出登录；如果问题仍然存在，请联系应用的发布者。',
  },
  outage: {
    title: '门户暂时不可用',
    text: '门户目前无法使用其数据库。请稍候几秒，然后重试。',
  },
  busy: {
    title: '当前访问人数过多',
    text: '门户暂时无法生成此页面。请稍候几秒，然后重试。',
  },
  reason: '原因',
  reference: '编号',
  referenceText: '如需联系此门户的管理人员，请告知此编号，他们可以据此查到原因。',
  back: '前往 {app}',
  onward: '继续前往 {host}',
  unverified: '这里尚无人核实此应用由谁运营。请仅在由您发起时继续。',
  forAdmins: '管理员可见的信息',
  clientSent: '收到的客户端 ID',
  sent: '收到的重定向 URI',
  registered: '已登记的重定向 URI',
  none: '无',
  openRefusals: '此应用被拒绝的请求',
  openEntry: '在审计日志中查找此请求',
})
