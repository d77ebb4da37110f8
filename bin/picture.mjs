// The README's picture: the front page, half by day and half by night. Needs a running portal:
//   npm start -- --demo     and then     node bin/picture.mjs
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from './chromium.mjs'
import { main, ROOT } from './setup.mjs'

const SIZE = { width: 1280, height: 720 }
const TARGET = join(ROOT, '.github/picture.png')
const origin = process.env.ISSUER ?? `http://localhost:${process.env.PORT ?? 3000}`

await main(async () => {
  const browser = await chromium.launch({
    executablePath: await findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const day = await shoot(browser, 'light')
    const night = await shoot(browser, 'dark')
    writeFileSync(TARGET, await layOver(browser, day, night))
  } finally {
    await browser.close()
  }
  console.log('wrote .github/picture.png')
})

async function shoot(browser, colorScheme) {
  const page = await browser.newPage({ viewport: SIZE, colorScheme, deviceScaleFactor: 1 })
  await page.goto(origin, { waitUntil: 'networkidle' })
  return (await page.screenshot()).toString('base64')
}

/** The dark page covers the right part of the light one, cut diagonally through the gate. */
async function layOver(browser, day, night) {
  const page = await browser.newPage({ viewport: SIZE })
  await page.setContent(`<style>
    body { margin: 0 } img { position: absolute; inset: 0 }
    img + img { clip-path: polygon(80% 0, 100% 0, 100% 100%, 73% 100%) }
  </style><img src="data:image/png;base64,${day}"><img src="data:image/png;base64,${night}">`)
  await page.waitForTimeout(200)
  return page.screenshot()
}
