import { setTimeout } from 'node:timers/promises'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * Starts the browser of the tests. A process that was forked while the browser was unpacked holds the program open for
 * writing until it runs its own, and Linux starts no such program (ETXTBSY): then again, a moment later.
 */
export async function launch(attempts = 20): Promise<Browser> {
  try {
    return await playwright.launch({
      executablePath: await chromium.executablePath(),
      args: ['--no-sandbox', '--disable-gpu'],
      headless: true,
    })
  } catch (error) {
    if (attempts <= 1 || !String(error).includes('ETXTBSY')) throw error
    await setTimeout(250)
    return launch(attempts - 1)
  }
}
