import type * as english from '../en/own-error-messages'
import { translation } from '../translation'

export const ownErrorMessages = translation<typeof english.ownErrorMessages>()({
  api: {
    'name.required': '请为 API 命名。',
    'prefix.required': '请为 API 设置前缀，例如 orders。',
    'audience.required': '请输入受众，例如 https://orders.example.com。',
    'audience.url_needed': '请输入地址，例如 https://orders.example.com 或 urn:orders。',
    'tokenSeconds.too_small': '至少 {minimum} 秒。',
    'tokenSeconds.too_big': '最多 {maximum} 秒。',
  },
  permission: { 'key.required': '请为权限命名，例如 orders:read。' },
  role: {
    'name.required': '请为角色命名。',
    'key.required': '请为角色设置键，例如 support。',
  },
  group: {
    'name.required': '请为用户组命名。',
    'key.required': '请为用户组设置键，例如 support。',
  },
  space: {
    'name.required': '请为空间命名。',
    'key.required': '请为空间设置键，例如 shop。',
  },
  application: {
    'name.required': '请为应用命名。',
    'grantTypes.choose': '至少选择一种授权类型。',
    'assertionSeconds.too_small': '至少 {minimum} 秒。',
    'assertionSeconds.too_big': '最多 {maximum} 秒。',
    'defaultMaxAge.too_small': '至少 {minimum} 秒。',
    'defaultMaxAge.too_big': '最多 {maximum} 秒。',
  },
  credential: {
    'name.required': '请为访问密钥命名。',
    'tokenSeconds.too_small': '至少 {minimum} 秒。',
    'tokenSeconds.too_big': '最多 {maximum} 秒。',
  },
  grant: { 'pattern.required': '请输入权限，例如 orders:read；或通配模式，例如 orders:*。' },
  claim: { 'in.choose': '请选择包含它的令牌。' },
  webhook: {
    'name.required': '请为 Webhook 命名。',
    'url.required': '请输入接收事件的地址。',
    'events.choose': '请至少输入一个事件，例如 user.created。',
    'overlap.too_small': '至少 {minimum} 小时。',
    'overlap.too_big': '最多 {maximum} 小时。',
  },
  assertion: {
    'subject.required': '请输入用户或客户端。',
    'permission.required': '请输入权限，例如 orders:read。',
  },
  view: { 'name.required': '请为视图命名。' },
  testLogin: { 'client.required': '请输入应用的客户端 ID。' },
  security: {
    'passwordLength.too_small': '至少 {minimum} 个字符。',
    'passwordLength.too_big': '最多 {maximum} 个字符。',
    'passwordLengthWithFactor.too_small': '至少 {minimum} 个字符。',
    'passwordLengthWithFactor.too_big': '最多 {maximum} 个字符。',
    'sessionIdleMinutes.too_small': '至少 {minimum} 分钟。',
    'sessionIdleMinutes.too_big': '最多 {maximum} 分钟。',
    'sessionHours.too_small': '至少一小时。',
    'sessionHours.too_big': '最多 {maximum} 小时。',
    'confirmMinutes.too_small': '至少一分钟。',
    'confirmMinutes.too_big': '最多 {maximum} 分钟。',
    'clientRequestsPerMinute.too_small': '至少 {minimum} 个请求。',
    'clientRequestsPerMinute.too_big': '最多 {maximum} 个请求。',
    'decisionDays.too_small': '至少 {minimum} 天。',
    'decisionDays.too_big': '最多 {maximum} 天。',
  },
  portal: {
    'name.required': '请为门户命名。',
    'offered.choose': '至少提供一种语言。',
    'server.required': '请输入邮件服务器的地址。',
    'from.required': '请输入发件地址。',
  },
  provider: {
    'id.provider_shape': '请为提供方设置 ID：1 到 32 个小写字母、数字或连字符，且不能为“new”。',
    'name.required': '请为提供方命名。',
    'clientId.required': '请输入提供方给您的客户端 ID。',
    'issuer.required': '请输入签发者，例如 https://id.example.com。',
    'tenant.required': '请输入您的目录 ID。',
  },
  attribute: {
    'key.required': '请为属性设置键，例如 department。',
    'name.required': '请为属性命名。',
  },
})
