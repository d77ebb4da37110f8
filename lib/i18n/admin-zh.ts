import { adminAccessZh } from './admin-access-zh'
import { adminApisZh } from './admin-apis-zh'
import { adminAppPartsZh } from './admin-app-parts-zh'
import { adminApplicationsZh } from './admin-applications-zh'
import { adminAuditZh } from './admin-audit-zh'
import { adminConditionsZh } from './admin-conditions-zh'
import { adminCredentialsZh } from './admin-credentials-zh'
import { adminGroupsZh } from './admin-groups-zh'
import { healthZh } from './admin-health-zh'
import { adminImpactZh, adminTermsZh } from './admin-impact-zh'
import { adminKeysZh } from './admin-keys-zh'
import { adminOverviewZh } from './admin-overview-zh'
import { adminRolesZh } from './admin-roles-zh'
import { adminSettingsZh } from './admin-settings-zh'
import { adminSpacesZh } from './admin-spaces-zh'
import { adminToolsZh } from './admin-tools-zh'
import { adminUsersZh } from './admin-users-zh'
import { adminWebhooksZh } from './admin-webhooks-zh'

export const adminZh = {
  title: '管理',
  navigation: '管理',
  menu: '菜单',
  account: '您的账户',
  pages: {
    '/admin': '概览',
    '/admin/applications': '应用',
    '/admin/apis': 'API',
    '/admin/roles': '角色',
    '/admin/users': '用户',
    '/admin/groups': '用户组',
    '/admin/simulator': '模拟器',
    '/admin/why': '为何有权限？',
    '/admin/reports': '最小权限',
    '/admin/tools': '工具',
    '/admin/audit': '审计日志',
    '/admin/keys': '签名密钥',
    '/admin/webhooks': 'Webhook',
    '/admin/settings': '设置',
  },
  forbidden: {
    title: '您无法打开此页面',
    text: '您的角色不包含此页面。如有需要，请联系管理此门户的人员。',
  },
  table: {
    search: '搜索',
    apply: '应用',
    any: '不限',
    reset: '清除',
    sortBy: '按{column}排序',
    first: '第一页',
    next: '下一页',
    previous: '上一页',
    pages: '分页',
    total: '共 {count} 条',
    totalMost: '{count} 条以上',
    select: '选择 {name}',
    selected: '对所选项：',
    go: '继续',
    columns: '列',
    export: '导出 {format}',
    none: '没有符合条件的内容。',
    noneHint: '请减少搜索词，或清除筛选条件。',
    keys: '快捷键：/ 搜索，j 和 k 移动，回车打开',
  },
  form: {
    save: '保存',
    saving: '正在保存…',
    create: '创建',
    creating: '正在创建…',
    cancel: '取消',
    delete: '删除',
    deleting: '正在删除…',
    confirm: '确认',
    optional: '选填',
    yes: '是',
    no: '否',
    none: '无',
    typeName: '输入“{name}”以确认',
    typeNameWrong: '名称不符。请按显示的内容准确输入。',
    done: '已保存。',
    created: '已创建。',
    deleted: '已删除。',
    refused: '没有任何更改：您的角色不允许，或有人先行修改。请重新加载页面查看。',
    shownOnce: '请立即保存，之后不再显示。',
    download: '下载 {file}',
  },
  problems: {
    malformed: '无法读取。请检查输入内容。',
    invalid: '部分内容无效。请检查输入内容。',
    unauthenticated: '请重新登录。',
    invalid_token: '请重新登录。',
    forbidden: '您的角色不允许此操作。',
    second_factor_needed: '请先完成第二重验证。',
    confirmation_needed: '请先确认是您本人。',
    not_found: '它已不存在：可能已被他人删除。',
    method_not_allowed: '此处无法执行该操作。',
    conflict: '与现有内容冲突。',
    in_flight: '相同的请求正在处理，请稍候。',
    stale: '期间有人修改过它。请重新加载页面后再修改。',
    too_large: '内容过大。',
    unsupported_media_type: '无法读取此类文件。',
    key_reused: '请重新加载页面后再试。',
    version_needed: '请重新加载页面后再试。',
    slow_down: '请求过多，请稍候。',
    fault: '我们这边出了问题，请重试。',
    unavailable: '门户暂时无法响应，请稍后重试。',
    authority: {
      refused: '您无权授予 {what}。可由以下人员授予：{who}。',
      others: '{what} 等另外 {count} 项',
      or: '{one}或{other}',
      anotherAdmin: '您不能修改自己的权限。请联系其他管理员。',
      by: {
        owner: '所有者',
        admin: '管理员',
        auditor: '审计员',
        app_manager: '应用管理员',
        api: 'API {api} 的所有者',
        apiNamed: 'API {api} 的所有者（{names}）',
      },
    },
  },
  roles: { owner: '所有者', admin: '管理员', auditor: '审计员', app_manager: '应用管理员' },
  enabled: '已启用',
  disabled: '已停用',
  never: '从未',
  overview: adminOverviewZh,
  health: healthZh,
  keys: adminKeysZh,
  audit: adminAuditZh,
  access: adminAccessZh,
  tools: adminToolsZh,
  users: adminUsersZh,
  groups: adminGroupsZh,
  settings: adminSettingsZh,
  webhooks: adminWebhooksZh,
  conditions: adminConditionsZh,
  terms: adminTermsZh,
  impact: adminImpactZh,
  apis: adminApisZh,
  spaces: adminSpacesZh,
  rolePages: adminRolesZh,
  applications: {
    ...adminApplicationsZh,
    ...adminAppPartsZh,
    credentials: adminCredentialsZh,
  },
} as const
