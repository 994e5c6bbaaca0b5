// Assurance at scale: the dashboard of 500 repositories, and an audit bundle of 100,000 findings.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeRun } from '../engine/sources/store/write.ts'
import { measure, type Row } from './process.ts'
import { makeFiles, makeFindings, makeRun } from './store-data.ts'

const PROGRAM = resolve(import.meta.dirname, '../dist/svc.js')
const PROJECTS = 500
const RUNS = 3
const FINDINGS = 100_000
const FILES = 20_000

export async function bench(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-assurance-'))
  const before = process.env.XDG_STATE_HOME
  process.env.XDG_STATE_HOME = join(folder, 'state')
  try {
    const root = makeOrganization(join(folder, 'organization'))
    const dashboard = await fastest(3, ['org-dashboard', '--root', root], folder)
    const project = await makeProject(join(folder, 'project'))
    const bundle = await fastest(3, ['export-audit', '-o', join(folder, 'audit.zip')], project)
    return [
      {
        name: `org-dashboard of ${PROJECTS} repositories with ${RUNS} runs each`,
        figure: `${(dashboard.ms / 1000).toFixed(2)} s, ${dashboard.peak_mb} MiB`,
        target: '≤ 2 s',
        ok: dashboard.ms <= 2000,
      },
      {
        name: `export-audit of ${FINDINGS.toLocaleString('en-US')} findings`,
        figure: `${(bundle.ms / 1000).toFixed(2)} s, ${bundle.peak_mb} MiB`,
        target: '≤ 5 s, ≤ 400 MiB',
        ok: bundle.ms <= 5000 && bundle.peak_mb <= 400,
      },
    ]
  } finally {
    if (before === undefined) delete process.env.XDG_STATE_HOME
    else process.env.XDG_STATE_HOME = before
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Repositories with the records of their runs, which is what the dashboard reads of them. */
function makeOrganization(root: string): string {
  const findings = makeFindings(200, 0)
  for (let project = 0; project < PROJECTS; project++) {
    const path = join(root, `team-${project % 20}`, `service-${project}`)
    mkdirSync(join(path, '.git'), { recursive: true })
    for (let run = 0; run < RUNS; run++) {
      const record = { ...makeRun(run, findings), root_name: `service-${project}`, scope: 'everything' }
      mkdirSync(join(path, 'out/history', record.id), { recursive: true })
      writeFileSync(join(path, 'out/history', record.id, 'run.json'), JSON.stringify(record))
    }
  }
  return root
}

async function makeProject(root: string): Promise<string> {
  mkdirSync(root, { recursive: true })
  execFileSync('git', ['init', '-q'], { cwd: root })
  const findings = makeFindings(FINDINGS, 0)
  await writeRun(join(root, 'out'), { ...makeRun(0, findings), scope: 'everything' }, findings, makeFiles(FILES))
  return root
}

async function fastest(times: number, args: readonly string[], root: string): Promise<{ ms: number; peak_mb: number }> {
  let best = { ms: Number.POSITIVE_INFINITY, peak_mb: 0 }
  for (let time = 0; time < times; time++) {
    const measured = await measure('node', [PROGRAM, ...args], root)
    if (measured.code !== 0) throw new Error(`${args[0]} exited with ${measured.code}.`)
    if (measured.ms < best.ms) best = measured
  }
  return best
}
