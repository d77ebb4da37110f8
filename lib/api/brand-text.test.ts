import { describe, expect, test } from 'vitest'
import { imitationIn } from './brand-text'

describe('a line of an application on the portal’s pages', () => {
  test.each([
    'Welcome back!',
    'Für Mitarbeitende von Łódź & Söhne®',
    '欢迎使用商店，满 100 元包邮。',
    'Добро пожаловать в Shop',
    'Open from 9 to 5: see you @ the shop.',
  ])('“%s” is its own', (text) => {
    expect(imitationIn(text)).toBeNull()
  })

  test.each([
    ['Verified by Gatehouse', 'Verified'],
    ['NOT verified', 'Verified'],
    ['本应用已核实', '已核实'],
    ['Vеrified', 'Vеrified'], // with a Cyrillic letter
    ['Checked ✔', '✔'],
    ['🛡 Protected', '🛡'],
    ['see https://evil.test/x now', 'https://evil.test/x'],
    ['see WWW.evil.test', 'WWW.evil.test'],
  ])('N17: “%s” is not: %s', (text, part) => {
    expect(imitationIn(text)).toBe(part)
  })
})
