import type * as english from '../en/conditions'
import { translation } from '../translation'
import { conditionFaults } from './condition-faults'

export const conditions = translation<typeof english.conditions>()({
  label: '条件',
  hint: '仅当条件为真时生效。留空则始终生效。',
  fine: '此条件有效。',
  faults: conditionFaults,
  place: '出错位置：',
  help: '示例和可用的变量',
  insert: '插入',
  insertNamed: '插入示例：{name}',
  examplesTitle: '示例',
  variablesTitle: '变量',
  language: '条件使用 CEL 编写。如果条件读取的值缺失，则会拒绝访问。',
  examples: {
    network: '仅限办公网络',
    hours: '仅限办公时间',
    login: '五分钟内使用第二重验证登录',
    attribute: '按用户属性',
    resource: '不适用于已归档的对象',
    exchange: '从我们自己的应用开始的令牌交换',
    authzen: '仅管理员可删除',
  },
  variables: {
    'request.ip': '请求的 IP 地址',
    'request.time': '请求的时间',
    'request.user_agent': '请求的用户代理',
    'request.grant_type': '令牌请求的授权类型，例如 client_credentials',
    'request.exchange':
      '令牌交换时，主体令牌的 from、first、depth、scope、audience 和 registration',
    'request.context': '检查的调用方发送的上下文',
    'user.id': '用户 ID',
    'user.department': '用户的任意属性，按名称读取',
    'auth.acr': '登录的强度：atLeast(auth.acr, "mfa")',
    'auth.amr': '登录所用方式的列表',
    'auth.age': '登录至今的秒数',
    'client.id': '应用的客户端 ID 或访问密钥',
    'client.application_id': '应用 ID；使用其访问密钥时也相同',
    'resource.audience': '令牌所面向的 API',
    'resource.scope': '权限',
    'resource.id': '检查的资源实例 ID',
    'resource.properties': '检查的调用方发送的资源属性',
    'subject.properties': '检查的调用方发送的用户属性',
    'action.name': '检查中的操作',
  },
})
