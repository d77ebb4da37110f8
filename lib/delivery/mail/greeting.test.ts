import { describe, expect, test } from 'vitest'
import { messagesFor } from '../../i18n'
import { greetingOf as greetingIn, isOnlyName } from './greeting'

const letters = {
  en: (await messagesFor('en')).mail.letters,
  'zh-Hans': (await messagesFor('zh-Hans')).mail.letters,
}

function greetingOf(locale: keyof typeof letters, name: string | null): string {
  return greetingIn(letters[locale], name)
}

describe('Q11: a name greets where it cannot be read as anything else', () => {
  test.each([
    'Ann',
    'Person 12',
    'Zoë Müller-Łukasz',
    'J.R.R. Tolkien',
    'Martin Luther King Jr.',
    "Sinéad O'Connor",
    'Siobhán O’Brien',
    '王小明',
    '阿凡提·买买提',
    '山田 花子',
    'علی\u200cرضا',
    'Николай Римский-Корсаков',
  ])('%s', (name) => {
    expect(isOnlyName(name)).toBe(true)
    expect(greetingOf('en', name)).toBe(`Hello ${name},`)
  })

  test.each([
    'Support: your mailbox is full, go to https://evil.example/a',
    'evil.example',
    'Ann evil.example',
    'Ann www.evil.example',
    't.co',
    'Ann, http:evil',
    'ann@evil.example',
    'ann＠evil．example',
    'Ann: call us',
    'Ann (urgent)',
    'Ann! Now!',
    'Ann/evil',
    'Ann #1',
    'Your account will be closed today unless',
    'Call 0800 123 456',
    '请立即访问客服中心网站',
    '您好。请点击',
    'a'.repeat(61),
    '',
  ])('greets nobody: %s', (name) => {
    expect(greetingOf('en', name)).toBe('Hello,')
    expect(greetingOf('zh-Hans', name)).toBe('您好：')
  })

  test('what was stored before names were cleaned is cleaned', () => {
    expect(greetingOf('en', 'Ann\u202e\u200b Lee')).toBe('Hello Ann Lee,')
    expect(greetingOf('en', 'Ann\r\nLee')).toBe('Hello Ann Lee,')
    expect(greetingOf('en', null)).toBe('Hello,')
  })
})
