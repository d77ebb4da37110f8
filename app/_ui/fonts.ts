import localFont from 'next/font/local'

// Each fallback is adjusted to its font's metrics, so that a late font moves nothing.
const newsreader = localFont({
  src: '../../node_modules/@fontsource-variable/newsreader/files/newsreader-latin-wght-normal.woff2',
  weight: '200 800',
  variable: '--font-newsreader',
  adjustFontFallback: 'Times New Roman',
})

const hankenGrotesk = localFont({
  src: '../../node_modules/@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2',
  weight: '100 900',
  variable: '--font-hanken',
  adjustFontFallback: 'Arial',
})

const jetbrainsMono = localFont({
  src: '../../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  variable: '--font-jetbrains',
  preload: false,
  adjustFontFallback: false,
})

export const fontVariables = `${newsreader.variable} ${hankenGrotesk.variable} ${jetbrainsMono.variable}`
