import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { project } from '../made/project.ts'
import { checkArch } from '../quality/architecture/check-arch.ts'
import { launch } from './launch.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launch()
})

afterAll(() => browser?.close())

const FILES = {
  'src/ui/a.ts': "import '../core/b'\nimport type { B } from '../core/b'\nimport './<img src=x onerror=alert(1)>'\n",
  'src/core/b.ts': "import './c'\n",
  'src/core/c.ts': 'export {}\n',
  'src/core/</script><script>alert(1)</script>.ts': "import './c'\n",
  'test/a.test.ts': "import '../src/ui/a'\n",
  'architecture.yaml':
    'forbidden:\n  - { name: no-b, from: src/ui/**, to: src/core/**, reason: "<b>old</b> & dark." }\n',
}

/** The page of the graph, with all that it complained of and asked the network for. */
async function open(colorScheme: 'light' | 'dark' = 'light', bypassCSP = false) {
  const root = project(FILES)
  await checkArch(root, { graph: 'html', output: 'out/imports.html' })
  const address = pathToFileURL(join(root, 'out/imports.html')).href
  const context = await browser.newContext({ colorScheme, bypassCSP, viewport: { width: 1280, height: 900 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => complaints.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', error => complaints.push(error.message))
  page.on('dialog', dialog => {
    complaints.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => request.url() !== address && complaints.push(`request ${request.url()}`))
  await page.goto(address)
  return { page, complaints }
}

const rows = (page: Page) => page.locator('tbody th').allTextContents()

test('the page of the import graph opens without a complaint, a request, or code of a file name', async () => {
  const { page, complaints } = await open()
  expect(await rows(page)).toEqual(['▸ src/…', '▸ test/…'])
  await expect.poll(() => page.locator('li').first().textContent()).toContain('<b>old</b> & dark.')
  expect(complaints).toEqual([])
})

test('the page of the import graph folds and shows the imports of a file by the keyboard', async () => {
  const { page, complaints } = await open()
  await page.getByRole('button', { name: '▸ src/' }).press('Enter')
  await page.getByRole('button', { name: '▸ core/' }).press('Enter')
  expect(await rows(page)).toEqual([
    // The slash of `</script>` in the name makes a directory of `<`.
    ...['▾ src/', '▾ core/', '▸ </…', 'b.ts', 'c.ts'],
    ...['▸ ui/…', '▸ test/…'],
  ])
  await page.getByRole('button', { name: 'Show the imports of src/core/b.ts' }).press('Enter')
  expect(await page.locator('#details li').allTextContents()).toEqual([
    'src/core/b.ts:1 → src/core/c.ts',
    'src/ui/a.ts:1 → src/core/b.ts',
    'src/ui/a.ts:2 → src/core/b.ts (type)',
  ])
  expect(await page.evaluate("document.activeElement?.getAttribute('aria-label')")).toContain('src/core/b.ts')
  await page.getByRole('button', { name: '▾ src/' }).press('Enter')
  expect(await rows(page)).toEqual(['▸ src/…', '▸ test/…'])
  expect(complaints).toEqual([])
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

test.each(['light', 'dark'] as const)(
  'in %s, the import graph passes the checks of axe (WCAG 2.2 AA)',
  async scheme => {
    const { page } = await open(scheme, true)
    await page.addScriptTag({ content: axe })
    await page.getByRole('button', { name: '▸ src/' }).click()
    await page.getByRole('button', { name: 'Show the imports of src/ui/' }).click()
    const violations = await page.evaluate(async () => {
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
      const { violations } = await (
        globalThis as unknown as {
          axe: {
            run(options: object): Promise<{ violations: { id: string; nodes: { target: string[] }[] }[] }>
          }
        }
      ).axe.run({ runOnly: tags })
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    })
    expect(violations).toEqual([])
  },
)
