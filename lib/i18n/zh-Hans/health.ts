import type * as english from '../en/health'
import { translation } from '../translation'

export const health = translation<typeof english.health>()({
  issuer_https: { detail: '签发者为 {issuer}。' },
  issuer_http: {
    detail: '签发者为 {issuer}：未加密的 http，只有本机可以使用。',
    mend: '在他人使用此门户之前，请将 ISSUER 设为公开的 https 地址。',
  },
  issuer_other_host: {
    detail: '您通过 {host} 访问，但签发者是 {issuer}。',
    mend: '请使用签发者的地址，或将 ISSUER 设为大家使用的地址。',
  },
  cookies_secure: { detail: 'Cookie 仅通过 https 传输。' },
  cookies_plain: {
    detail: '由于签发者是 {where}，Cookie 可能通过未加密的 http 传输。',
    mend: '当 ISSUER 以 https:// 开头时，它们会自动变为安全。',
  },
  callers_known: { detail: '门户知道访问者的地址，并据此限制猜测次数。' },
  callers_unknown: {
    detail: '门户不知道访问者的地址：猜测次数按账户和总量限制，无法按地址限制。',
    mend: '将 TRUSTED_PROXIES 设为前面的代理数量，或使用 npm start 运行门户。',
  },
  database_quick: { detail: '{kind} 在 {ms} 毫秒内响应。' },
  database_slow: {
    detail: '{kind} 需要 {ms} 毫秒才能响应。',
    mend: '将数据库移到离门户更近的位置，或检查其负载。',
  },
  database_away: {
    detail: '数据库没有响应。',
    mend: '检查 DATABASE_URL 以及数据库是否正在运行。',
  },
  clock_right: { detail: '本机与数据库的时间一致。' },
  clock_off: {
    detail: '本机与数据库的时间相差 {seconds} 秒。',
    mend: '在两者上启用时间同步（NTP）：令牌依赖时钟。',
  },
  clock_unknown: { detail: '无法读取数据库的时钟。', mend: '请先修复数据库。' },
  migrations_done: { detail: '全部 {count} 个迁移已应用。' },
  migrations_pending: {
    detail: '以下迁移尚未应用：{names}。',
    mend: '使用 npm start 重新启动门户，它会应用迁移。',
  },
  migrations_newer: {
    detail: '较新的版本已更改此数据库：{names}。',
    mend: '请在此处也安装该版本。',
  },
  migrations_unknown: { detail: '无法读取迁移状态。', mend: '请先修复数据库。' },
  mail_smtp: { detail: '邮件通过您的邮件服务器发送。' },
  mail_printed: {
    detail: '邮件不会发送：在开发环境中会打印并保存在发件箱。',
    mend: '设置邮件服务器以便联系用户。',
  },
  mail_off: {
    detail: '邮件已关闭：无法重置密码或确认邮箱地址。',
    mend: '设置 SMTP_URL 和 MAIL_FROM。',
  },
  outbox_empty: { detail: '没有等待发送的内容。' },
  outbox_waits: {
    detail: '等待超过五分钟的消息：{count} 条。',
    mend: '检查邮件服务器和各应用的注销地址是否响应。',
  },
  outbox_failed: {
    detail: '过去七天内放弃发送的消息：{count} 条。',
    mend: '日志中有原因。修正地址后，请重新发起需要发送的内容。',
  },
  keys_young: { detail: '最旧的签名密钥已使用 {days} 天。' },
  keys_old: {
    detail: '某个密钥已签名 {days} 天，现在应当已被更换。',
    mend: '请在“签名密钥”中轮换它。',
  },
  keys_none: {
    detail: '没有可用于签名的密钥。',
    mend: '重新启动门户，它会生成密钥。如果失败，请检查 GATEHOUSE_SECRET。',
  },
  demo_left: {
    detail: '--demo 的示例数据仍在使用：{names}。',
    mend: '这些名称人人皆知。请创建您自己的所有者，然后删除或停用它们。',
  },
})
