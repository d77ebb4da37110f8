import { expect, test } from 'vitest'
import { moduleOf } from './confusables.mjs'

const CONFUSABLES = `# Version: 1.2.3
0251 ;\t0061 ;\tMA\t# ( ɑ → a )
FF41 ;\t0061 ;\tMA\t# NFKD changes it
006D ;\t0072 006E ;\tMA\t# ( m → rn )
0430 ;\t0061 ;\tMA
`
const NAMES =
  '0262;LATIN LETTER SMALL CAPITAL G;Ll;0;L;;;;;N;;;;;\n0263;LATIN SMALL LETTER GAMMA;Ll;'

test('a module with the letters that look alike, grouped by what they look like', () => {
  const text = moduleOf(CONFUSABLES, NAMES)
  expect(text).toContain('from Unicode 1.2.3')
  expect(text).toContain("  '67 262; 61 251 430; 72+6e 6d',\n")
})
