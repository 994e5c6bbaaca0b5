import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { type DashboardServer, startDashboard } from './dashboard-server.ts'
import { type Visited, visit } from './dashboard-visit.ts'

export { soon } from './dashboard-visit.ts'

export interface Opened extends Visited {
  server: DashboardServer
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
  return { server, ...(await visit(server.base, path, context)) }
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
  return async (path, context) => ({ server, ...(await visit(server.base, path, context)) })
}

export const titles = (page: Page) => page.locator('.card .title').allTextContents()
