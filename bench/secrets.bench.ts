import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { loadBuiltinPacks } from '../engine/packs/load.ts'
import { FileScan } from '../engine/rules/file-scan.ts'
import { RuleSet } from '../engine/rules/rule-set.ts'
import { ANCHORS } from '../engine/secrets/generic/anchors.ts'
import { measure, type Row, sideBySide } from './process.ts'
import { bytesOf, TREES, tracked, treeFolder } from './trees.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')
const ROUNDS = 3
/** Of ripgrep's time over the same literals. */
const MOST_RATIO = 3
const MEMORY_MB = 700
const COMMITS = 10_000
/** Nothing found, or something: anything else is no measurement. */
const ENDED_WELL = [0, 1]
const STAGED_MS = 5

/** The pass over the Linux tree against ripgrep with the same literals, a long history, and a small staged change. */
export async function bench(): Promise<Row[]> {
  const linux = treeFolder(TREES.find(({ name }) => name === 'linux')!)
  return [...(linux ? await againstRipgrep(linux) : []), ...(linux ? await ofHistory(linux) : []), ofStaged()]
}

function secretRules() {
  return loadBuiltinPacks().find(({ id }) => id === 'secrets')!.rules
}

async function againstRipgrep(folder: string): Promise<Row[]> {
  const literals = new Set(ANCHORS)
  for (const rule of secretRules())
    for (const clause of rule.requirement) for (const { text } of clause) literals.add(text)
  const list = join(mkdtempSync(join(tmpdir(), 'svc-bench-')), 'literals')
  writeFileSync(list, `${[...literals].join('\n')}\n`)
  const bytes = bytesOf(folder, tracked(folder))
  const rows: Row[] = []
  for (const threads of [1, 2]) {
    const [ours, theirs] = (await sideBySide(ROUNDS, [
      () => measure(process.execPath, [SVC, 'secrets', '--jobs', String(threads)], folder),
      () => measure('rg', ['-c', '-i', '-F', '--no-ignore', '-f', list, '-j', String(threads), '.'], folder),
    ])) as [Awaited<ReturnType<typeof measure>>, Awaited<ReturnType<typeof measure>>]
    const ratio = ours.ms / theirs.ms
    rows.push({
      name: `secrets, linux, ${threads} ${threads === 1 ? 'thread' : 'threads'}, ${literals.size} literals`,
      figure: `${(bytes / 1000 / ours.ms).toFixed(0)} MB/s, ${(ours.ms / 1000).toFixed(1)} s, ${ratio.toFixed(1)} × ripgrep (${(theirs.ms / 1000).toFixed(1)} s), ${ours.peak_mb} MB`,
      target: `≤ ${MOST_RATIO} × ripgrep`,
      ok: ratio <= MOST_RATIO && ENDED_WELL.includes(ours.code ?? -1),
    })
  }
  rmSync(list)
  return rows
}

async function ofHistory(tree: string): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-history-'))
  try {
    await makeHistory(folder, tree)
    const { ms, peak_mb, code } = await measure(process.execPath, [SVC, 'secrets', '--history'], folder)
    return [
      {
        name: `secrets --history, ${COMMITS} commits`,
        figure: `${(ms / 1000).toFixed(1)} s, ${peak_mb} MB`,
        target: `≤ ${MEMORY_MB} MB`,
        ok: peak_mb <= MEMORY_MB && ENDED_WELL.includes(code ?? -1),
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A repository in which each commit adds or changes one file, with the contents of a published package. */
async function makeHistory(folder: string, tree: string): Promise<void> {
  execFileSync('git', ['init', '-q'], { cwd: folder })
  const files = tracked(tree)
    .filter(path => /\.(?:c|h|rst|sh|py)$/.test(path))
    .slice(0, COMMITS)
  const child = spawn('git', ['fast-import', '--quiet'], { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] })
  const done = new Promise<void>((settle, fail) => {
    child.on('close', code => (code === 0 ? settle() : fail(new Error(`git fast-import ended with ${code}`))))
  })
  for (let index = 0; index < COMMITS; index++) {
    const path = files[index % files.length]!
    const content = readFileSync(join(tree, path))
    const head = `commit refs/heads/main\ncommitter b <b@localhost> ${1_600_000_000 + index} +0000\ndata 1\nx\nM 100644 inline ${path}\ndata ${content.length}\n`
    if (!child.stdin.write(Buffer.concat([Buffer.from(head), content, Buffer.from('\n')])))
      await new Promise<void>(settle => child.stdin.once('drain', () => settle()))
  }
  child.stdin.end()
  await done
  execFileSync('git', ['symbolic-ref', 'HEAD', 'refs/heads/main'], { cwd: folder })
}

/** What the detectors add to the judgement of a small change. A commit hook pays the first time, so that one counts. */
function ofStaged(): Row {
  const rules = new RuleSet(secretRules())
  const lines = Array.from(
    { length: 10 },
    (_, index) => `const setting${index} = process.env.API_TOKEN_${index} ?? load('token')`,
  )
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`)
  const limits = { rule_deadline_ms: 1000, file_deadline_ms: 1000, max_parse_bytes: 1 << 20 }
  const scan = () => {
    const began = performance.now()
    const file = new FileScan(rules, { path: 'a.js', language: 'javascript', in_test: false, bytes }, limits)
    while (file.nextTextual()) {}
    file.structural()
    return performance.now() - began
  }
  const first = scan()
  const rest = Array.from({ length: 99 }, scan).sort((a, b) => a - b)
  return {
    name: 'secrets in a staged change of 10 lines, in the process',
    figure: `${first.toFixed(1)} ms the first time, ${rest[49]!.toFixed(2)} ms after`,
    target: `≤ ${STAGED_MS} ms`,
    ok: first <= STAGED_MS,
  }
}
