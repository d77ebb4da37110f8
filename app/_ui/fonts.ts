import localFont from 'next/font/local'

// `optional`: a font that comes late is left out rather than moving what someone is typing into.
const display = localFont({
  src: '../../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-newsreader',
  adjustFontFallback: 'Times New Roman',
  display: 'optional',
})

const sans = localFont({
  src: '../../node_modules/@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-hanken',
  adjustFontFallback: 'Arial',
  display: 'optional',
})

const mono = localFont({
  src: '../../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  variable: '--font-jetbrains',
  preload: false,
  adjustFontFallback: false,
})

export const fontVariables = `${display.variable} ${sans.variable} ${mono.variable}`
