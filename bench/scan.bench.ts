import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { detectLanguage } from '../engine/base/languages/languages.ts'
import { loadBuiltinRules } from '../engine/sources/packs/load.ts'
import { judgeParts, measureParts } from './parts.ts'
import { AST_GREP, writePatterns } from './patterns.ts'
import { measure, type Row, sideBySide } from './process.ts'
import { measureScale } from './scale.ts'
import { bytesOf, TREES, tracked, treeFolder } from './trees.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')
/** What each tree's ratio may be at the most: the kernel is C, where few files can match. */
const TARGET: Record<string, number> = { linux: 0.3, ansible: 0.8, go: 0.8, openjdk: 0.8 }
const MEMORY_MB = 700
/** The same against the twenty patterns that somebody might search a tree for. */
const PATTERNS_TARGET: Record<string, number> = { linux: 0.3, ansible: 0.5, go: 0.5, openjdk: 0.5 }
/** What ripgrep is asked for beside it: literals of such calls. */
const LITERALS = 'strcpy strcat sprintf gets system popen alloca strncpy sscanf mktemp tmpnam setuid'.split(' ')
/** ast-grep's names of languages where they are not ours; those it does not have are left out for it. */
const ITS_NAME: Record<string, string | undefined> = { dart: undefined, sql: undefined, toml: undefined }

/**
 * Cold full scans with every rule: against `ast-grep scan` with twenty patterns and with the syntax rules, beside ripgrep and cloc; what their parts
 * took; the same on 1, 2, 4 and 8 threads; and with ten times the rules.
 */
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
      rows.push(...(await besidePatterns(tree.name, folder)))
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
    rows.push(await measureScale(tree.name, folder, files))
  }
  return rows
}

/** Time of the processor, since other work on the machine only adds to the time by the clock. */
async function besidePatterns(tree: string, folder: string): Promise<Row[]> {
  const patterns = writePatterns(tree)
  const search = ['scan', '-c', patterns.config, '--json=stream', '--no-ignore', 'vcs', '.']
  const literals = LITERALS.flatMap(literal => ['-e', literal])
  try {
    const peers: [name: string, command: string, args: string[]][] = [
      [`ast-grep with ${patterns.count} patterns`, AST_GREP, search],
      [`ripgrep with ${LITERALS.length} literals`, 'rg', ['-c', '-F', '--no-ignore', ...literals, '.']],
      ['cloc', 'cloc', ['--quiet', '--vcs=git', '.']],
    ]
    const installed = peers.filter(([, command]) => isInstalled(command))
    const [ours, ...theirs] = await sideBySide(3, [
      () => measure(process.execPath, [SVC, 'scan', '--quiet', '--no-cache'], folder),
      ...installed.map(
        ([, command, args]) =>
          () =>
            measure(command, args, folder),
      ),
    ])
    const rows = installed.map(([name], index): Row => {
      const peer = theirs[index]!
      const ratio = ours!.cpu_ms / peer.cpu_ms
      const target = index === 0 ? PATTERNS_TARGET[tree]! : Number.POSITIVE_INFINITY
      return {
        name: `${tree}: cold scan, every rule, against ${name}, of the processor`,
        figure: `${ratio.toFixed(2)} × (${seconds(ours!.cpu_ms)}, ${seconds(peer.cpu_ms)}; by the clock ${(ours!.ms / peer.ms).toFixed(2)} ×)`,
        target: index === 0 ? `≤ ${target} ×` : '',
        ok: ratio <= target && ours!.code === 0,
      }
    })
    return [...rows, ...judgeParts(tree, await measureParts(folder), theirs[0]!.cpu_ms / 1000)]
  } finally {
    rmSync(patterns.folder, { recursive: true })
  }
}

function isInstalled(command: string): boolean {
  const { error } = spawnSync(command, ['--version'], { stdio: 'ignore' })
  return error === undefined
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
