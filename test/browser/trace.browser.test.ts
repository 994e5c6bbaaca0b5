import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeRecord } from '../../engine/delivery/requirements/model.ts'
import { renderTraceHtml } from '../../engine/delivery/trace/html.ts'
import { judgeRows } from '../../engine/delivery/trace/judge.ts'
import {
  groupControls,
  makeRow,
  summarize,
  summarizeLevels,
  type TraceMatrix,
} from '../../engine/delivery/trace/matrix.ts'
import { launch } from './launch.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})

afterAll(() => browser?.close())

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

function makeMatrix(): TraceMatrix {
  const rows = ['REQ-10', 'REQ-2', 'REQ-1'].map(id => ({
    ...makeRow({ ...makeRecord({ id, title: `${HOSTILE} ${id}` }), file: HOSTILE, line: 1, format: 'yaml' }),
    ...(id === 'REQ-2' && {
      code: [{ file: HOSTILE, line: 1, symbol: HOSTILE, origin: 'tag' as const }],
      tests: [{ file: 'a.test.ts', line: 1, origin: 'tag' as const }],
    }),
  }))
  judgeRows(rows, new Map())
  const [summary, levels, controls] = [summarize(rows, 1), summarizeLevels(rows), groupControls(rows)]
  const none = { files: [], problems: [], sources: [], test_reports: [], not_evaluated: [] }
  return { ...{ summary, levels, rows, controls, orphans: [HOSTILE] }, ...none }
}

test('the matrix is filtered and sorted, asks the network for nothing and runs no markup of the repository', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'svc-trace-page-')), 'trace.html')
  writeFileSync(path, renderTraceHtml(makeMatrix()))
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('dialog', dialog => complaints.push(`dialog ${dialog.message()}`))
  page.on('request', request => request.url().startsWith('file:') || complaints.push(request.url()))
  await page.goto(pathToFileURL(path).href)
  const shown = () => page.locator('#matrix tbody tr:visible th code').allTextContents()
  expect(await shown()).toEqual(['REQ-10', 'REQ-2', 'REQ-1'])
  await page.getByRole('button', { name: 'Requirement' }).click()
  expect(await shown()).toEqual(['REQ-1', 'REQ-2', 'REQ-10'])
  await page.getByRole('button', { name: 'State' }).click()
  expect((await shown())[0]).toBe('REQ-2')
  await page.getByLabel('Filter').fill('req-1')
  expect((await shown()).sort()).toEqual(['REQ-1', 'REQ-10'])
  await page.getByLabel('Filter').fill('')
  await page.getByLabel('State').selectOption('covered')
  expect(await shown()).toEqual(['REQ-2'])
  expect(await page.getByRole('status').textContent()).toBe('1 of 3')
  expect(complaints).toEqual([])
  await context.close()
})
