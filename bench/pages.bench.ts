import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { writeRun } from '../engine/sources/store/write.ts'
import { launch } from '../test/browser/launch.ts'
import type { Row } from './process.ts'
import { makeFiles, makeFindings, makeRun } from './store-data.ts'

const PROGRAM = resolve(import.meta.dirname, '../dist/svc.js')
const FINDINGS = 100_000
const FILES = 20_000
/** Each figure is the median of so many. */
const REPEATS = 7

/** The dashboard in the real browser, on a run of 100,000 findings in 20,000 files, in a server that has answered before. */
export async function bench(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-pages-'))
  mkdirSync(join(folder, '.git'))
  const findings = makeFindings(FINDINGS, 1)
  await writeRun(join(folder, 'out'), makeRun(1, findings), findings, makeFiles(FILES))
  const server = spawn(process.execPath, [PROGRAM, 'dashboard', '--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const browser = await launch()
  try {
    const base = await addressOf(server.stderr)
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    const cdp = await page.context().newCDPSession(page)
    const first = await repeat(() => openFirst(page, base))
    const filter = await repeat(() => filterBySeverity(page, base))
    const frame = await scrollThrough(page, base)
    const memory = await heapOf(cdp)
    return [
      toRow('first page usable', first, 'ms', 1000),
      toRow('filter by severity until the total is right', filter, 'ms', 100),
      toRow('longest task over 50 ms while scrolling through 100,000 rows (0: none)', frame, 'ms', 50),
      toRow('memory of the page afterwards (JavaScript heap)', memory, 'MB', 150),
    ]
  } finally {
    server.kill()
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function toRow(what: string, value: number, unit: string, most: number): Row {
  return {
    name: `dashboard, 100,000 findings in 20,000 files: ${what}`,
    figure: `${Math.round(value)} ${unit}`,
    target: `≤ ${most} ${unit}`,
    ok: value <= most,
  }
}

/** Milliseconds from the navigation until the overview stands. */
async function openFirst(page: Page, base: string): Promise<number> {
  await page.goto('about:blank')
  const start = performance.now()
  await page.goto(`${base}/dashboard#/overview`)
  await page.locator('.trend .column').first().waitFor()
  return performance.now() - start
}

/** Milliseconds from the click until the list has another total, by the clock of the page. */
async function filterBySeverity(page: Page, base: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(`${base}/dashboard#/findings`)
  await page.locator('.row-line').first().waitFor()
  return (await page.evaluate(`new Promise(resolve => {
    const total = document.querySelector('.total')
    const before = total.textContent
    const start = performance.now()
    new MutationObserver(() => {
      if (total.textContent !== before) requestAnimationFrame(() => resolve(performance.now() - start))
    }).observe(total, { childList: true, characterData: true, subtree: true })
    document.querySelector('.chip.high').click()
  })`)) as number
}

/** The longest task of the main thread, in milliseconds, while the list is scrolled from its head to its end. */
async function scrollThrough(page: Page, base: string): Promise<number> {
  await page.goto('about:blank')
  await page.goto(`${base}/dashboard#/findings`)
  await page.locator('.row-line').first().waitFor()
  await setTimeout(500)
  return (await page.evaluate(`new Promise(resolve => {
    let longest = 0
    new PerformanceObserver(list => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })
    const box = document.querySelector('.virtual')
    const step = box.scrollHeight / 200
    let n = 0
    const scroll = () => {
      box.scrollTop = step * n++
      if (n <= 200) requestAnimationFrame(scroll)
      else setTimeout(() => resolve(longest), 500)
    }
    scroll()
  })`)) as number
}

async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  const { usedSize } = await cdp.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

async function repeat(measure: () => Promise<number>): Promise<number> {
  await measure()
  const all: number[] = []
  for (let n = 0; n < REPEATS; n++) all.push(await measure())
  return all.sort((a, b) => a - b)[Math.floor(REPEATS / 2)]!
}

function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise(found => {
    let said = ''
    output.on('data', chunk => {
      said += String(chunk)
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0]
      if (address) found(address)
    })
  })
}
