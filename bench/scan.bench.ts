import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { detectLanguage } from '../engine/base/languages/languages.ts'
import { loadBuiltinRules } from '../engine/sources/packs/load.ts'
import { measure, type Row, sideBySide } from './process.ts'
import { bytesOf, TREES, tracked, treeFolder } from './trees.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')
const AST_GREP = join(
  dirname(createRequire(import.meta.url).resolve(`@ast-grep/cli-${process.platform}-${process.arch}-gnu/package.json`)),
  'ast-grep',
)

/** What each tree's ratio may be at the most: the kernel is C, where few files can match. */
const TARGET: Record<string, number> = { linux: 0.3, ansible: 0.8, go: 0.8, openjdk: 0.8 }
const MEMORY_MB = 700
/** ast-grep's names of languages where they are not ours; those it does not have are left out for it. */
const ITS_NAME: Record<string, string | undefined> = { dart: undefined, sql: undefined, toml: undefined }

/** Cold full scans with every rule, against `ast-grep scan` with the syntax rules alone; then the same on 1, 2, 4 and 8 threads. */
export async function bench(only?: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const tree of TREES) {
    if (only && tree.name !== only) continue
    const folder = treeFolder(tree)
    if (!folder) continue
    const files = tracked(folder)
    const languages = new Set(files.flatMap(file => detectLanguage(file) ?? []))
    const rules = writeAstGrepRules(languages)
    try {
      const ours = (...more: string[]) =>
        measure(process.execPath, [SVC, 'scan', '--quiet', '--no-cache', ...more], folder)
      const theirs = () =>
        measure(
          AST_GREP,
          [
            'scan',
            '-c',
            join(rules.folder, 'sgconfig.yml'),
            '--json=stream',
            '--no-ignore',
            'vcs',
            '--no-ignore',
            'hidden',
            '.',
          ],
          folder,
        )
      const [svc, astGrep] = await sideBySide(3, [() => ours(), theirs])
      const ratio = svc!.ms / astGrep!.ms
      const target = TARGET[tree.name]!
      rows.push({
        name: `${tree.name}: cold scan, every rule, against ast-grep with the ${rules.count} syntax rules for its languages`,
        figure: `${ratio.toFixed(2)} × (${seconds(svc!.ms)}, ${seconds(astGrep!.ms)})`,
        target: `≤ ${target} ×`,
        ok: ratio <= target && svc!.code === 0,
      })
      if (tree.name === 'linux')
        rows.push({
          name: 'linux: peak memory',
          figure: `${svc!.peak_mb} MB`,
          target: `≤ ${MEMORY_MB} MB`,
          ok: svc!.peak_mb <= MEMORY_MB,
        })
      const bytes = bytesOf(folder, files)
      const threads = await sideBySide(
        1,
        [1, 2, 4, 8].map(n => () => ours('--jobs', String(n))),
      )
      const speeds = threads.map(
        ({ ms }, i) =>
          `${2 ** i}: ${Math.round(files.length / (ms / 1000)).toLocaleString('en-US')} files/s, ${Math.round(bytes / 1e6 / (ms / 1000))} MB/s`,
      )
      const ok = threads.every(({ code }) => code === 0)
      rows.push({ name: `${tree.name}: speed by threads`, figure: speeds.join('; '), target: '', ok })
    } finally {
      rmSync(rules.folder, { recursive: true })
      rmSync(join(folder, 'out'), { recursive: true, force: true })
    }
  }
  return rows
}

/** The same syntax rules as files for ast-grep: one for each rule and language of the tree. */
function writeAstGrepRules(present: ReadonlySet<string>): { folder: string; count: number } {
  const folder = mkdtempSync(join(tmpdir(), 'ast-grep-'))
  mkdirSync(join(folder, 'rules'))
  writeFileSync(join(folder, 'sgconfig.yml'), 'ruleDirs: [rules]\n')
  let count = 0
  for (const rule of loadBuiltinRules()) {
    if (rule.type !== 'ast') continue
    for (const own of rule.languages) {
      const language = own in ITS_NAME ? ITS_NAME[own] : own
      if (!language || !present.has(own)) continue
      const { rule: body, constraints, utils, transform } = rule
      // JSON is YAML too.
      const text = JSON.stringify({
        id: `${rule.id}-${own}`,
        language,
        severity: 'warning',
        rule: body,
        constraints,
        utils,
        transform,
      })
      writeFileSync(join(folder, 'rules', `${rule.id}-${own}.yml`), text)
      count++
    }
  }
  return { folder, count }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
