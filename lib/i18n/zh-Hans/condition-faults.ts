export const conditionFaults = {
  condition_long: '条件过长，最多 {maximum} 个字符。',
  condition_type: '条件的结果必须为 true 或 false，此条件返回 {type}。',
  condition_unavailable: '条件中不能使用 {name}。',
  condition_matches: '不能使用 matches()。请使用 startsWith、endsWith 或 contains。',
  condition_nested: 'all()、exists() 等宏嵌套过深。',
  condition_costly: '此部分超过 {steps} 步，请简化。',
  condition_member: '{name} 不存在。请使用 {instead}。',
  condition_variable:
    '{name} 不是变量。请使用 request、user、auth、client、resource、subject 或 action。',
  condition_call: '{name} 不存在，或不接受这些值。',
  condition_operands: '这些值不能这样组合。请比较相同类型的值。',
  condition_unfinished: '条件不完整，请补全。',
  condition_unreadable: '这不是 CEL 表达式。请检查拼写、引号和括号。',
} as const
