import type { Page } from '@playwright/test'

/** A person's hands: every press of a button and every key is counted. */
export type Hands = {
  press(name: string): Promise<void>
  follow(name: string): Promise<void>
  /** Fills the field with this label; going to the field is one more key. */
  type(label: string, text: string): Promise<void>
  tick(label: string): Promise<void>
  count(): { clicks: number; keys: number }
}

export function handsOn(page: Page): Hands {
  let clicks = 0
  let keys = 0
  const click = async (role: 'button' | 'link', name: string) => {
    clicks += 1
    await page.getByRole(role, { name, exact: true }).first().click()
  }
  return {
    press: (name) => click('button', name),
    follow: (name) => click('link', name),
    async type(label, text) {
      keys += text.length + 1
      await page.getByLabel(label, { exact: true }).fill(text)
    },
    async tick(label) {
      clicks += 1
      await page.getByLabel(label).check()
    },
    count: () => ({ clicks, keys }),
  }
}
