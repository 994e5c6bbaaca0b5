import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { launch } from './launch.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})

afterAll(() => browser?.close())

export interface Visited {
  page: Page
  /** What the page complained of: console, errors, dialogs, and answers from 400 that no test asks for. */
  complaints: string[]
  /** Addresses outside the server. */
  foreign: string[]
}

/** A page of a server, in a context of its own of the browser that the test file shares. */
export async function visit(base: string, path: string, context: BrowserContextOptions = {}): Promise<Visited> {
  const opened = await browser.newContext({ colorScheme: 'light', viewport: { width: 1280, height: 900 }, ...context })
  onTestFinished(() => opened.close())
  const page = await opened.newPage()
  const complaints: string[] = []
  const foreign: string[] = []
  page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('dialog', dialog => {
    complaints.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url())) foreign.push(request.url())
  })
  await page.goto(base + path)
  return { page, complaints, foreign }
}

/** What a page shows once its answers have come. */
export const soon = <T>(read: () => T) => expect.poll(read)
