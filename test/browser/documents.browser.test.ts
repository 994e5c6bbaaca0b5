import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { folder, write } from '../made/folder.ts'
import { DOCUMENTS, renderDocument } from './documents.ts'
import { launch } from './launch.ts'
import { readPdf } from './pdf.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})

afterAll(() => browser?.close())

/** A document in the browser, with all that it complained of and asked the network for. */
async function open(name: string, more: { colorScheme: 'light' | 'dark'; width: number; bypassCSP?: boolean }) {
  const root = folder()
  write(root, { 'document.html': renderDocument(name) })
  const address = pathToFileURL(join(root, 'document.html')).href
  const { colorScheme, width, bypassCSP } = more
  const context = await browser.newContext({ colorScheme, bypassCSP, viewport: { width, height: 900 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('dialog', dialog => complaints.push(`dialog ${dialog.message()}`))
  page.on(
    'request',
    request => request.url() !== address && !request.url().startsWith('data:') && complaints.push(request.url()),
  )
  await page.goto(address)
  return { page, complaints }
}

test.each(DOCUMENTS)('%s, on a phone in the dark, fits, loads nothing and runs nothing', async name => {
  const { page, complaints } = await open(name, { colorScheme: 'dark', width: 390 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  expect(await page.evaluate('window.hacked')).toBeUndefined()
  expect(await page.locator('script, img, iframe, object, embed, base, form').count()).toBe(0)
  const links = await page.locator('a[href]').evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''))
  expect(links.filter(href => !/^(https:\/\/|#)/.test(href))).toEqual([])
  expect(complaints).toEqual([])
})

test.each(DOCUMENTS)(
  '%s passes the checks of axe (WCAG 2.2 AA) on a screen in light and a phone in the dark, and prints',
  async name => {
    const { page } = await open(name, { colorScheme: 'light', width: 1280, bypassCSP: true })
    await page.addScriptTag({ content: axe })
    // Colors are the same at any width, and the layout in either scheme.
    for (const { width, colorScheme } of [
      { width: 1280, colorScheme: 'light' },
      { width: 390, colorScheme: 'dark' },
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      const violations = await page.evaluate(async tags => {
        type Violation = { id: string; nodes: { html: string; failureSummary: string }[] }
        const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }
        const { violations } = await axe.run({ runOnly: tags })
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html} ${nodes[0]!.failureSummary}`)
      }, TAGS)
      expect([width, colorScheme, ...violations]).toEqual([width, colorScheme])
    }
    await expectPrinted(page)
  },
)

/** The PDF has the headings and table heads in their order, on pages none of which is empty. */
async function expectPrinted(page: Page): Promise<void> {
  const { pages } = readPdf(await page.pdf({ format: 'A4' }))
  expect(pages.filter(text => text.length < 10)).toEqual([])
  expect(pages.length).toBeLessThan(20)
  const headings = await page.locator('h1, h2, caption').allInnerTexts()
  expect(headings.length).toBeGreaterThan(0)
  const printed = pages.join('')
  const said = headings.map(heading => heading.normalize('NFKC').replace(/\s+/g, ''))
  let at = 0
  for (const heading of said) {
    const found = printed.indexOf(heading, at)
    expect(found, `${heading} in ${printed.slice(at, at + 300)}`).toBeGreaterThanOrEqual(0)
    at = found
  }
}
