import type * as english from '../en/groups'
import { translation } from '../translation'

export const groups = translation<typeof english.groups>()({
  title: '用户组',
  intro: '用户组是拥有相同角色的一组用户。',
  new: '添加用户组',
  name: '名称',
  key: '标识',
  keyHint: '在 API 和文件中使用的名称：小写字母、数字、点和连字符。',
  created: '创建时间',
  emptyTitle: '还没有用户组',
  empty: '用户组的所有成员拥有相同的角色。请先添加用户组，再为其分配角色。',
  members: '成员',
  membersText: '可在用户列表中批量添加成员。',
  add: '将用户加入此用户组',
  addHint: '姓名、邮箱、用户名或 ID。',
  membersNone: '还没有成员。',
  rolesText: '请在角色页面为用户组分配角色。',
  find: '在用户列表中查看成员',
  danger: '成员将失去该用户组的角色。此操作无法撤销。',
  dangerTitle: '删除此用户组',
  dangerSummary: '删除…',
  take: '移出',
})
