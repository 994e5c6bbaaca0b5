import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'
import { listAnchors } from '../engine/detect/secrets/generic/anchors.ts'
import { loadBuiltinPacks } from '../engine/sources/packs/load.ts'
import { launcher, root, whole } from '../scripts/bundling.mjs'
import { measure, type Row, sideBySide } from './process.ts'
import { bytesOf, historyFolder, TREES, tracked, treeFolder } from './trees.ts'

const DIST = resolve(import.meta.dirname, '../dist')
const SVC = join(DIST, 'svc.js')
const ROUNDS = 3
/** Of ripgrep's time over the same literals. */
const MOST_RATIO = 3
const MEMORY_MB = 700
const COMMITS = 10_000
/** Nothing found, or something: anything else is no measurement. */
const ENDED_WELL = [0, 1]
const STAGED_MS = 5
const PROCESSES = 21

/** The pass over the Linux tree against ripgrep with the same literals, a long history, and a small staged change. */
export async function bench(): Promise<Row[]> {
  const linux = treeFolder(TREES.find(({ name }) => name === 'linux')!)
  return [
    ...(linux ? await againstRipgrep(linux) : []),
    ...(linux ? await ofHistory(linux) : []),
    ...(await ofPublished()),
    await ofStaged(),
  ]
}

function secretRules() {
  return loadBuiltinPacks().find(({ id }) => id === 'secrets')!.rules
}

async function againstRipgrep(folder: string): Promise<Row[]> {
  const literals = new Set(listAnchors())
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

/** The history of published versions where it was made (bench/registry-history.ts), and gitleaks over the same where that is installed. */
async function ofPublished(): Promise<Row[]> {
  const folder = historyFolder()
  if (!existsSync(join(folder, '.git'))) return []
  const commits = execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim()
  const ours = await measure(process.execPath, [SVC, 'secrets', '--history'], folder)
  const theirs = await measure('gitleaks', ['git', '--no-banner', '--exit-code', '1', '.'], folder).catch(
    () => undefined,
  )
  const peer = theirs ? `; gitleaks ${(theirs.ms / 1000).toFixed(1)} s, ${theirs.peak_mb} MB` : ''
  return [
    {
      name: `secrets --history, ${commits} published versions`,
      figure: `${(ours.ms / 1000).toFixed(1)} s, ${ours.peak_mb} MB${peer}`,
      target: `≤ ${MEMORY_MB} MB`,
      ok: ours.peak_mb <= MEMORY_MB && ENDED_WELL.includes(ours.code ?? -1),
    },
  ]
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

/** What bench/first-change.ts prints, in milliseconds. */
export interface FirstChange {
  /** Loading the modules of the detectors, putting the rules together and judging the change. */
  first: number
  /** Judging it again, the median of 99. */
  after: number
}

/**
 * What the detectors add to the judgement of a small change, in processes of their own that are made and started as the program is: a
 * commit hook pays the first time, so that one counts.
 */
async function ofStaged(): Promise<Row> {
  const folder = mkdtempSync(join(root, '.bench-'))
  try {
    await build({ ...whole, outdir: folder, entryPoints: { program: 'bench/first-change.ts' } })
    await build({ ...launcher({}), outdir: folder })
    for (const name of ['package.json', 'packs.json', 'texts.json', 'literals.bin'])
      symlinkSync(join(DIST, name), join(folder, name))
    const start = (env: NodeJS.ProcessEnv = {}): FirstChange =>
      JSON.parse(
        execFileSync(process.execPath, [join(folder, 'svc.js')], { encoding: 'utf8', env: { ...process.env, ...env } }),
      )
    start({ SVC_KEEP_COMPILED: join(folder, 'program.js.compiled') })
    const runs = Array.from({ length: PROCESSES }, () => start())
    const middle = (of: keyof FirstChange) => runs.map(run => run[of]).sort((a, b) => a - b)[PROCESSES >> 1]!
    return {
      name: 'secrets in a staged change of 10 lines, in the built program',
      figure: `${middle('first').toFixed(1)} ms the first time, ${middle('after').toFixed(2)} ms after`,
      target: `≤ ${STAGED_MS} ms`,
      ok: middle('first') <= STAGED_MS,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
