import type * as english from '../en/health'
import { translation } from '../translation'

export const health = translation<typeof english.health>()({
  issuer_https: { detail: '签发者为 {issuer}。' },
  issuer_http: {
    detail: '签发者为 {issuer}。它使用未加密的 http，只有本机可以使用。',
    fix: '在他人使用此门户之前，请将环境变量 ISSUER 设为公开的 https 网址，然后重新启动门户。',
  },
  issuer_other_host: {
    detail: '您通过 {host} 访问，但签发者是 {issuer}。',
    fix: '请通过签发者的网址访问，或将 ISSUER 设为用户使用的网址。',
  },
  cookies_secure: { detail: 'Cookie 仅通过 https 传输。' },
  cookies_plain: {
    detail: '由于签发者是 {where}，Cookie 可能通过未加密的 http 传输。',
    fix: '当 ISSUER 以 https:// 开头时，Cookie 会自动启用安全传输。',
  },
  callers_known: { detail: '门户知道访问者的 IP 地址，并按 IP 地址限制尝试次数。' },
  callers_unknown: {
    detail: '门户不知道访问者的 IP 地址。尝试次数按账户和总量限制，无法按 IP 地址限制。',
    fix: '请将 TRUSTED_PROXIES 设为门户前方的代理数量，或使用 npm start 运行门户。',
  },
  callers_behind_proxy: {
    detail:
      '此请求经过了代理，但未设置 TRUSTED_PROXIES。门户把代理当作访问者：所有用户共用一个 IP 地址，一个人用尽限额，其他人也受影响。',
    fix: '请将 TRUSTED_PROXIES 设为门户前方的代理数量。',
  },
  database_quick: { detail: '{kind} 在 {ms} 毫秒内响应。' },
  database_slow: {
    detail: '{kind} 需要 {ms} 毫秒才能响应。',
    fix: '将数据库移到离门户更近的位置，或检查其负载。',
  },
  database_away: {
    detail: '数据库没有响应。',
    fix: '检查 DATABASE_URL 以及数据库是否正在运行。',
  },
  clock_right: { detail: '本机与数据库的时间一致。' },
  clock_off: {
    detail: '本机与数据库的时间相差 {seconds} 秒。',
    fix: '请在两者上启用时间同步（NTP）。令牌有效期依赖时钟。',
  },
  clock_unknown: { detail: '无法读取数据库的时钟。', fix: '请先修复数据库。' },
  migrations_done: { detail: '全部 {count} 个迁移已应用。' },
  migrations_pending: {
    detail: '以下迁移尚未应用：{names}。',
    fix: '使用 npm start 重新启动门户，它会应用迁移。',
  },
  migrations_newer: {
    detail: '较新版本的门户更改过此数据库：{names}。',
    fix: '请在此安装该版本。',
  },
  migrations_unknown: { detail: '无法读取迁移状态。', fix: '请先修复数据库。' },
  mail_smtp: { detail: '邮件通过您的邮件服务器发送。' },
  mail_printed: {
    detail: '邮件不会发送。在开发环境中，邮件会打印到终端并保存在发件箱。',
    fix: '如需向用户发送邮件，请在设置中配置邮件服务器，或设置环境变量 SMTP_URL 和 MAIL_FROM。',
  },
  mail_off: {
    detail: '邮件已关闭，用户无法重置密码或验证邮箱。',
    fix: '请在设置中配置邮件服务器，或设置环境变量 SMTP_URL 和 MAIL_FROM。',
  },
  outbox_empty: { detail: '没有等待发送的消息。' },
  outbox_waits: {
    detail: '{count} 条消息已等待超过五分钟。',
    fix: '“设置”中的发件箱显示每条消息的原因。请检查邮件服务器、Webhook 和各应用的登出 URI 是否响应。',
  },
  outbox_failed: {
    detail: '过去七天内有 {count} 条消息无法送达。',
    fix: '“设置”中的发件箱显示每条消息的原因。请修正地址，然后重试。',
  },
  keys_young: { detail: '最旧的有效签名密钥已使用 {days} 天。' },
  keys_old: {
    detail: '某个签名密钥已使用 {days} 天，应当已被更换。',
    fix: '请在“签名密钥”中更换。',
  },
  keys_none: {
    detail: '没有签名密钥。',
    fix: '请重新启动门户，它会生成签名密钥。如果失败，请检查 GATEHOUSE_SECRET。',
  },
  applications_weakened: {
    detail: '某些应用的设置降低了安全性：{names}。',
    fix: '请打开各应用设置中的“兼容性”部分。一旦其库允许，就选择推荐设置。',
  },
  requests_decided: {
    detail: '已检查的申请规则：{count}/{total}。每条规则都有人可以审批。',
  },
  requests_undecided: {
    detail: '这些规则的部分申请没有人或没有足够的人可以审批：{names}。',
    fix: '请打开该 API 的“申请”页面指定其他人，或将人员加入负责审批的角色、群组或所有者。在此之前，这类申请会一直等待，到期后未经审批即结束。',
  },
  emergencies_unreviewed: {
    detail: '这些规则指定的人无法复核所有紧急开启的权限：{names}。',
    fix: '请打开该 API 的“申请”页面指定其他复核人。在此之前，只有门户的所有者可以复核。',
  },
  demo_left: {
    detail: '--demo 的示例数据仍在使用：{names}。',
    fix: '这些名称是公开的。请创建您自己的所有者，然后删除或停用它们。',
  },
})
