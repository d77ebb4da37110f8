import { expect, type Locator } from '@playwright/test'

/**
 * What is done before the script of the page has arrived is lost: React has taken this over. A page
 * that leads on to another one is asked again there.
 */
export async function expectListening(element: Locator): Promise<void> {
  const isTaken = () =>
    element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps')))
  await expect(async () => expect(await isTaken()).toBe(true)).toPass()
}
