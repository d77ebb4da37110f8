import { describe, expect, test } from 'vitest'
import { imitationIn, resembles } from './brand-text'

describe('a line of an application on the portal’s pages', () => {
  test.each([
    'Welcome back!',
    'Für Mitarbeitende von Łódź & Söhne®',
    '欢迎使用商店，满 100 元包邮。',
    'Добро пожаловать в Shop',
    'Open from 9 to 5: see you @ the shop.',
    'Made with Node.js and/or Draw.io, v1.2/3.',
  ])('“%s” is its own', (text) => {
    expect(imitationIn(text)).toBeNull()
  })

  test.each([
    ['Verified by Gatehouse', 'Verified'],
    ['NOT verified', 'Verified'],
    ['本应用已核实', '已核实'],
    ['Vеrified', 'Vеrified'], // with a Cyrillic letter
    ['Verifıed', 'Verified'], // U+0131
    ['Checked ✔', '✔'],
    ['🛡 Protected', '🛡'],
    ['see https://evil.test/x now', 'https://evil.test/x'],
    ['see WWW.evil.test', 'WWW.evil.test'],
    ['log in at login-portal.example/now', 'login-portal.example/now'],
    ['or at evil.test:8443', 'evil.test:8443'],
  ])('N17: “%s” is not: %s', (text, part) => {
    expect(imitationIn(text)).toBe(part)
  })
})

describe('a name beside that of the portal', () => {
  test.each<[string, string, boolean]>([
    ['Gatehouse', 'gate house', true],
    ['Example ID', 'The EXAMPLE-ID wallet', true],
    ['Łódź', 'Login for LODZ', true],
    ['Zürich', 'Zurich Login', true],
    ['门户', '新门户登录', true],
    ['ID', 'ID login', true],
    ['ID', 'Android video', false],
    ['Gatehouse', 'Gate', false],
    ['★', 'Anything', false],
    ['Gatehouse', 'Gɑtehouse', true], // U+0251
    ['Gatehouse', 'ɢatehouse', true], // U+0262, a small capital
    ['Gatehouse', 'G4tehouse', true],
    ['Gatehouse', '6@7eh0u$e Login', true],
    ['Gatehouse', 'Gаtеhоusе', true], // Cyrillic
    ['Gatehouse', 'ᏀATEHOUSE', true], // Cherokee
    ['Gatehouse', 'Gate\u200Bhouse', true],
    ['Lilly', 'LiIIy', true],
    ['Identity', 'ldent1ty', true],
    ['Modern', 'Modem', true],
    ['Добро', 'Дoбpo', true], // with Latin letters
    ['Acme', 'Acne', false],
    ['Gatehouse', 'Greenhouse', false],
    ['Gatehouse', 'Gate of the house', false],
  ])('R20: at “%s”, “%s”: %s', (portal, name, expected) => {
    expect(resembles(name, portal)).toBe(expected)
  })
})
