import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let folder: string
/** Milliseconds that have passed by the clock of the parts: what else the machine does is not to decide. */
let clock: number

beforeEach(() => {
  clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
  folder = join(mkdtempSync(join(tmpdir(), 'svc-spent-')), 'notes')
  vi.resetModules()
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(join(folder, '..'), { recursive: true })
})

/** The module reads where to note times when it is loaded. */
async function load(isCounting: boolean) {
  vi.stubEnv('SVC_COUNT_PARTS', isCounting ? folder : undefined)
  return await import('../../engine/base/spent.ts')
}

function readNotes(): Record<string, number> {
  const names = readdirSync(folder)
  expect(names).toHaveLength(1)
  return JSON.parse(readFileSync(join(folder, names[0]!), 'utf8')) as Record<string, number>
}

/** Takes so long by the clock, and the processor for long enough that the system notices. */
function work(ms: number): void {
  clock += ms
  const before = process.cpuUsage().user
  while (process.cpuUsage().user - before < 8_000);
}

test('time goes to the innermost part, and to the one around it again behind that', async () => {
  const { beginCounting, countPart, keepCounts, PARTS } = await load(true)
  beginCounting()
  countPart('taint', () => {
    work(20)
    countPart('parse', () => work(80))
    work(20)
  })
  keepCounts()
  const notes = readNotes()
  expect(Object.keys(notes).every(part => (PARTS as readonly string[]).includes(part))).toBe(true)
  expect(notes.parse! / notes.taint!).toBeCloseTo(2)
  expect(notes.other).toBe(0)
})

test('a part that fails is left, and its time counted', async () => {
  const { beginCounting, countPart, keepCounts } = await load(true)
  beginCounting('read')
  const failing = () =>
    countPart('secrets', () => {
      work(10)
      throw new Error('broken off')
    })
  expect(failing).toThrow('broken off')
  work(10)
  keepCounts()
  const notes = readNotes()
  expect(notes.secrets).toBeGreaterThan(0)
  expect(notes.read).toBeGreaterThan(0)
})

test('what is counted adds up over the batches of a thread', async () => {
  const { beginCounting, countPart, keepCounts } = await load(true)
  const count = () => {
    beginCounting()
    countPart('memory', () => work(20))
    keepCounts()
    return readNotes().memory!
  }
  const first = count()
  expect(count()).toBeGreaterThan(first)
})

test('nothing is counted or written where nobody asks for it', async () => {
  const { beginCounting, countPart, isCounting, keepCounts } = await load(false)
  beginCounting()
  expect(isCounting()).toBe(false)
  expect(countPart('regex', () => 7)).toBe(7)
  keepCounts()
  expect(existsSync(folder)).toBe(false)
})
