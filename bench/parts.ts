import { execFileSync } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PARTS } from '../engine/base/spent.ts'
import { measure, type Row } from './process.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')
const HISTORY = join(import.meta.dirname, 'parts.csv')
/** A part that takes so much more than in the commit before is a miss. */
const MOST_GROWTH = 1.05
/** Shorter parts change by more than that from one run to the next. */
const LEAST_SECONDS = 1

/** Seconds of the processor by part of a scan; `threads` is what V8's own threads and the main one took beside what is counted. */
export type Spent = Record<string, number>

/** Scans a tree once with every rule, and tells the parts of it apart. */
export async function measureParts(folder: string): Promise<Spent> {
  const notes = mkdtempSync(join(tmpdir(), 'svc-parts-'))
  try {
    const args = [SVC, 'scan', '--quiet', '--no-cache']
    const { cpu_ms } = await measure(process.execPath, args, folder, { SVC_COUNT_PARTS: notes })
    const spent: Spent = Object.fromEntries(PARTS.map(part => [part, 0]))
    for (const name of readdirSync(notes))
      for (const [part, ms] of Object.entries(JSON.parse(readFileSync(join(notes, name), 'utf8')) as Spent))
        spent[part]! += ms / 1000
    const counted = Object.values(spent).reduce((sum, seconds) => sum + seconds, 0)
    return { ...spent, threads: Math.max(0, cpu_ms / 1000 - counted) }
  } finally {
    rmSync(notes, { recursive: true })
  }
}

/**
 * A row for each part: its seconds, and how it grew since the commit that the history has before this one. Seconds depend on the machine and
 * what else it does, so they are compared as multiples of what the peer took of the processor in the same run.
 */
export function judgeParts(tree: string, spent: Spent, peer_s: number): Row[] {
  const commit = execFileSync('git', ['rev-parse', '--short=10', 'HEAD'], { encoding: 'utf8' }).trim()
  const before = readBefore(tree, commit)
  const rows = Object.entries(spent).map(([part, seconds]): Row => {
    const known = before.get(part)
    const growth = known && seconds / peer_s / known
    return {
      name: `${tree}: ${part}, of the processor`,
      figure: `${seconds.toFixed(1)} s${growth ? `, ${growth.toFixed(2)} × the commit before` : ''}`,
      target: known ? `≤ ${MOST_GROWTH} ×` : '',
      ok: !growth || growth <= MOST_GROWTH || seconds < LEAST_SECONDS,
    }
  })
  keep(tree, commit, spent, peer_s)
  return rows
}

/** Of the latest commit but this one that is in the history: each part as a multiple of what the peer took. */
function readBefore(tree: string, commit: string): Map<string, number> {
  if (!existsSync(HISTORY)) return new Map()
  const rows = readFileSync(HISTORY, 'utf8').trimEnd().split('\n').slice(1)
  const own = rows.map(row => row.split(',')).filter(row => row[2] === tree && row[1] !== commit)
  const latest = own.at(-1)?.[1]
  return new Map(own.filter(row => row[1] === latest).map(row => [row[3]!, Number(row[4]) / Number(row[5])]))
}

/** Writes this commit's figures behind the others, in place of those that it had. */
function keep(tree: string, commit: string, spent: Spent, peer_s: number): void {
  const head = 'date,commit,tree,part,seconds,peer_seconds\n'
  const rows = existsSync(HISTORY) ? readFileSync(HISTORY, 'utf8').split('\n').slice(1).filter(Boolean) : []
  const others = rows.filter(row => !row.includes(`,${commit},${tree},`))
  writeFileSync(HISTORY, head + others.map(row => `${row}\n`).join(''))
  const date = new Date().toISOString().slice(0, 10)
  for (const [part, seconds] of Object.entries(spent))
    appendFileSync(HISTORY, `${date},${commit},${tree},${part},${seconds.toFixed(2)},${peer_s.toFixed(2)}\n`)
}
