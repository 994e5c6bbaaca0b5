// Measures everything and writes the figures into bench/RESULTS.md. Usage: npm run bench [subject] [tree]
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Row } from './process.ts'

const RESULTS = join(import.meta.dirname, 'RESULTS.md')
const SUBJECTS: Record<string, (only?: string) => Promise<Row[]>> = {
  start: async () => (await import('./start.bench.ts')).bench(),
  hook: async () => (await import('./hook.bench.ts')).bench(),
  warm: async () => (await import('./warm.bench.ts')).bench(),
  governance: async () => (await import('./governance.bench.ts')).bench(),
  store: async () => (await import('./store.bench.ts')).bench(),
  dashboard: async () => (await import('./dashboard.bench.ts')).bench(),
  pages: async () => (await import('./pages.bench.ts')).bench(),
  imports: async () => (await import('./imports.bench.ts')).bench(),
  trace: async () => (await import('./trace.bench.ts')).bench(),
  secrets: async () => (await import('./secrets.bench.ts')).bench(),
  supply: async () => (await import('./supply.bench.ts')).bench(),
  assurance: async () => (await import('./assurance.bench.ts')).bench(),
  scan: async only => (await import('./scan.bench.ts')).bench(only),
  lsp: async only => (await import('./lsp.bench.ts')).bench(only),
  inline: async () => (await import('./inline.bench.ts')).bench(),
  fleet: async only => (await import('./fleet.bench.ts')).bench(only),
  expertise: async only => (await import('./expertise.bench.ts')).bench(only),
}

const [wanted, only] = process.argv.slice(2)
if (wanted && !Object.hasOwn(SUBJECTS, wanted)) {
  console.error(`There is no bench ${wanted}; there are ${Object.keys(SUBJECTS).join(', ')}.`)
  process.exit(64)
}
execFileSync('npm', ['run', 'build', '--silent'], { stdio: 'inherit' })
for (const [subject, bench] of Object.entries(SUBJECTS)) {
  if (wanted && wanted !== subject) continue
  const rows = await bench(only)
  for (const { name, figure, target, ok } of rows)
    console.log(`${ok ? 'ok  ' : 'MISS'} ${name}: ${figure}${target && ` (${target})`}`)
  if (!only && rows.length > 0) record(subject, rows)
  // Whoever runs one experiment wants to know.
  if (only && rows.some(({ ok }) => !ok)) process.exitCode = 1
}

/** Replaces the subject's table in RESULTS.md; what stands around the tables is written by hand. */
function record(subject: string, rows: readonly Row[]): void {
  const [begin, end] = [`<!-- ${subject} -->`, `<!-- /${subject} -->`]
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}`
  const lines = rows.map(
    ({ name, figure, target, ok }) => `| ${name} | ${figure} | ${target} | ${ok ? 'yes' : '**no**'} |`,
  )
  const table = [
    begin,
    `\`npm run bench ${subject}\` on ${machine}:`,
    '',
    '| what | figure | target | met |',
    '|---|---|---|---|',
    ...lines,
    end,
  ].join('\n')
  const text = readFileSync(RESULTS, 'utf8')
  const at = text.indexOf(begin)
  if (at === -1) throw new Error(`RESULTS.md has no ${begin}`)
  writeFileSync(RESULTS, text.slice(0, at) + table + text.slice(text.indexOf(end) + end.length))
}
