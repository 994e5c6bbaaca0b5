import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { type DashboardServer, startDashboard } from './dashboard-server.ts'
import { launch } from './launch.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})

afterAll(() => browser?.close())

export interface Opened {
  page: Page
  server: DashboardServer
  /** What the page complained of: console, errors, dialogs, and answers from 400 that no test asks for. */
  complaints: string[]
  /** Addresses outside the server. */
  foreign: string[]
}

/** What a dashboard is opened over. */
export interface Opening {
  runs?: number
  key?: string
  readOnly?: boolean
  files?: Record<string, string>
  prepare?: (server: DashboardServer) => Promise<void>
}

/** A page of a dashboard of its own, in a browser that the test file shares. */
export async function open(path: string, options: Opening = {}, context: BrowserContextOptions = {}): Promise<Opened> {
  const server = await startDashboard({ runs: 6, ...options })
  onTestFinished(() => server.close())
  await options.prepare?.(server)
  return visit(server, path, context)
}

/** One dashboard for the tests of a file or of a `describe`, each with a browser context of its own. */
export function shareDashboard(
  options: Opening = {},
): (path: string, context?: BrowserContextOptions) => Promise<Opened> {
  let server: DashboardServer
  beforeAll(async () => {
    server = await startDashboard({ runs: 6, ...options })
    await options.prepare?.(server)
  })
  afterAll(() => server?.close())
  return (path, context) => visit(server, path, context)
}

async function visit(server: DashboardServer, path: string, context: BrowserContextOptions = {}): Promise<Opened> {
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
    if (!request.url().startsWith(server.base) && !/^(data|blob):/.test(request.url())) foreign.push(request.url())
  })
  await page.goto(server.base + path)
  return { page, server, complaints, foreign }
}

/** What a page shows once its answers have come. */
export const soon = <T>(read: () => T) => expect.poll(read)

export const titles = (page: Page) => page.locator('.card .title').allTextContents()
