import { expect, type Locator } from '@playwright/test'

/** What is done before the script of the page has arrived is lost: React has taken this over. */
export async function expectListening(element: Locator): Promise<void> {
  const isTaken = () =>
    element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps')))
  await expect.poll(isTaken).toBe(true)
}
