// Whether two builds find the same on all bench trees, byte by byte but for the run's id and times. Answers are kept by build and tree, so that
// a build is asked once. Usage: npx tsx bench/same-findings.ts <dist before> <dist after> [tree or directory of a repository …]
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { TREES, treeFolder } from './trees.ts'

const KEPT = join(homedir(), '.cache/svc-bench-answers')
const MOST_SHOWN = 20

/** What a scan answers, a line for each finding and each fact of the run. */
function answerOf(dist: string, folder: string): string {
  const engine = createHash('sha256')
  for (const name of ['engine.digest', 'packs.json']) engine.update(readFileSync(join(dist, name)))
  const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: folder, encoding: 'utf8' }).trim()
  const path = join(KEPT, `${engine.digest('hex').slice(0, 16)}-${tree.slice(0, 16)}.gz`)
  if (existsSync(path)) return gunzipSync(readFileSync(path)).toString()
  const args = [join(dist, 'svc.js'), 'scan', '--quiet', '--no-cache', '--dry-run', '--json']
  const answer = JSON.parse(execFileSync(process.execPath, args, { cwd: folder, maxBuffer: 1 << 30 }).toString())
  const { findings, run, run_id: _, ...rest } = answer
  const { id, started_at, finished_at, duration_ms, ...facts } = run
  const lists = Object.entries(facts).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).map(each => `${key} ${JSON.stringify(each)}`),
  )
  const lines = [...findings.map((each: unknown) => JSON.stringify(each)), ...lists, JSON.stringify(rest)]
  const text = lines.join('\n')
  mkdirSync(KEPT, { recursive: true })
  writeFileSync(`${path}.new`, gzipSync(text))
  renameSync(`${path}.new`, path)
  return text
}

const [before, after, ...wanted] = process.argv.slice(2)
if (before === undefined || after === undefined) {
  console.error('Usage: npx tsx bench/same-findings.ts <dist before> <dist after> [tree or directory …]')
  process.exit(64)
}
const known = wanted.length === 0 ? TREES : TREES.filter(({ name }) => wanted.includes(name))
const folders = [
  ...known.flatMap(tree => treeFolder(tree) ?? []),
  ...wanted.filter(each => !TREES.some(({ name }) => name === each)).map(each => resolve(each)),
]
for (const folder of folders) {
  const [old, fresh] = [before, after].map(dist => answerOf(resolve(dist), folder))
  const digest = createHash('sha256').update(fresh!).digest('hex').slice(0, 16)
  const count = fresh!.split('\n').length
  console.log(`${old === fresh ? 'same  ' : 'DIFFER'} ${basename(folder)} ${digest} ${count} lines`)
  if (old === fresh) continue
  process.exitCode = 1
  const [left, right] = [new Set(old!.split('\n')), new Set(fresh!.split('\n'))]
  const gone = [...left].filter(line => !right.has(line)).map(line => `- ${line.slice(0, 300)}`)
  const come = [...right].filter(line => !left.has(line)).map(line => `+ ${line.slice(0, 300)}`)
  for (const line of [...gone, ...come].slice(0, MOST_SHOWN)) console.log(line)
}
