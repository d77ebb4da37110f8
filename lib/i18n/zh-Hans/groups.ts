import type * as english from '../en/groups'
import { translation } from '../translation'

export const groups = translation<typeof english.groups>()({
  title: '用户组',
  intro: '拥有相同角色的一组人。',
  new: '添加用户组',
  name: '名称',
  key: '标识',
  keyHint: 'API 和文件中使用的名称：小写字母、数字、点和连字符。',
  created: '创建时间',
  emptyTitle: '还没有用户组',
  empty: '用户组让其中的每个人拥有相同的角色：先添加一个，再为其分配角色。',
  members: '成员',
  membersText: '在用户页面添加成员，或在用户列表中一次添加多人。',
  membersNone: '还没有成员。',
  rolesText: '请在角色页面为用户组分配角色。',
  find: '在用户列表中显示',
  danger: '成员将失去该用户组带来的角色。此操作无法撤销。',
  dangerTitle: '删除此用户组',
  dangerSummary: '删除…',
  take: '移出',
})
