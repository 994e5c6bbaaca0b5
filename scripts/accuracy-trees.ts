// Scans the trees of bench/accuracy again and shows the difference against the verdicts of reviewers. See docs/measuring-accuracy.md.
// Usage: npm run accuracy:trees [-- NAME… | NAME=DIRECTORY…] [--json] [--rows]
// Without a name: every tree that npm can fetch and of which every finding was read. NAME=DIRECTORY scans a local copy, whose digest is not verified.
// --rows prints a row of verdicts.csv for each new finding. Exit code 1 where findings are new or gone.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { fetchTree } from './accuracy/fetch-tree.ts'
import {
  compareVerdicts,
  formatRows,
  readTrees,
  readVerdicts,
  type Scanned,
  type Tree,
  type Verdict,
} from './accuracy/verdicts.ts'

const root = resolve(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, rows: { type: 'boolean', default: false } },
})
const trees = readTrees(join(root, 'bench/accuracy'))
const verdicts = readVerdicts(join(root, 'bench/accuracy'))
const local = new Map(positionals.filter(each => each.includes('=')).map(each => splitOnce(each)))
const named = positionals.map(each => splitOnce(each)[0])
for (const name of named) if (!trees.some(tree => tree.name === name)) fail(`trees.yaml has no tree ${name}.`)

const chosen =
  named.length > 0 ? trees.filter(({ name }) => named.includes(name)) : trees.filter(({ sampled }) => !sampled)
const available = chosen.filter(tree => local.has(tree.name) || canFetch(tree))
const work = mkdtempSync(join(tmpdir(), 'svc-accuracy-'))
const results: { tree: string; version: string | null; new: Scanned[]; gone: Verdict[]; same: Verdict[] }[] = []
try {
  for (const tree of available) {
    const folder = local.get(tree.name) ?? fetchTree(tree, join(work, tree.name.replaceAll('/', '-')))
    const findings = scan(folder)
    const own = verdicts.filter(verdict => verdict.tree === tree.name)
    const { added: unread, gone, same } = compareVerdicts(findings, own)
    const added = tree.sampled ? [] : unread
    results.push({ tree: tree.name, version: tree.version ?? null, new: added, gone, same })
    if (values.json) continue
    console.log(
      `${tree.name} ${tree.version ?? '(version not recorded)'}: ${added.length} new, ${gone.length} gone, ${same.length} same`,
    )
    for (const { rule_id, file, line } of added) console.log(`  new   ${file}:${line} ${rule_id}`)
    for (const { id, rule, path, line, verdict } of gone)
      console.log(`  gone  ${path}:${line} ${rule} (${id}, ${verdict})`)
    if (values.rows) console.log(formatRows(tree.name, added, verdicts).join('\n'))
  }
} finally {
  rmSync(work, { recursive: true, force: true })
}

const missing = chosen.filter(tree => !available.includes(tree)).map(({ name }) => name)
if (values.json) console.log(JSON.stringify({ trees: results, not_available: missing }, null, 2))
else summarize()
process.exitCode = results.some(result => result.new.length + result.gone.length > 0) ? 1 : 0

function canFetch({ source, version, integrity }: Tree): boolean {
  return source === 'npm' && version !== undefined && integrity !== undefined
}

/** The findings of a tree by the built program, as a user gets them. Nothing is written to the tree. */
function scan(folder: string): Scanned[] {
  const args = [join(root, 'dist/svc.js'), 'scan', '--dry-run', '--json', '-q', '.']
  const printed = execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 })
  return (JSON.parse(printed) as { findings: Scanned[] }).findings
}

function summarize(): void {
  const same = results.flatMap(result => result.same)
  const count = (verdict: string) => same.filter(each => each.verdict === verdict).length
  const right = count('true') + count('example')
  const share = same.length > 0 ? `, precision ${Math.round((100 * right) / same.length)} %` : ''
  console.log(
    `\n${results.length} trees scanned. Findings with a verdict: ${count('true')} true, ${count('example')} examples, ${count('false')} false${share}.`,
  )
  if (missing.length > 0)
    console.log(`${missing.length} trees not available (no npm version and digest): name them with NAME=DIRECTORY.`)
}

function splitOnce(argument: string): [string, string] {
  const at = argument.indexOf('=')
  return at < 0 ? [argument, ''] : [argument.slice(0, at), argument.slice(at + 1)]
}

function fail(message: string): never {
  console.error(message)
  process.exit(64)
}
