import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../../engine/base/records/run.ts'
import merge from '../../engine/ops/scan/merge.ts'
import scan from '../../engine/ops/scan/run.ts'
import { copy, openWriter, quotePath } from '../../engine/sources/store/duckdb.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { OWN_RULES, policy, wordRule } from '../made/rules.ts'
import { ROOT, textOf } from '../root.ts'

/** Every setting of a scan that its command line fills in. */
export const DEFAULTS = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false, cache: false }
type ScanInput = Parameters<typeof scan.run>[0]

/** What SOURCE_DATE_EPOCH gives, so that reports have no time of their own. */
export const ENV = { SOURCE_DATE_EPOCH: '1700000000' }

type MergeInput = Parameters<typeof merge.run>[0]

/** Scans and merges in an environment, to which a call may add. */
function makeScans(base: Record<string, string>) {
  const context = (root: string, env: Record<string, string>) => surface(root, { env: { ...base, ...env } }).context
  const scanned = (root: string, input: Partial<ScanInput> = {}, env: Record<string, string> = {}) =>
    scan.run({ ...DEFAULTS, ...input } as ScanInput, context(root, env))
  const merged = (
    root: string,
    folders: string[],
    input: Partial<MergeInput> = {},
    env: Record<string, string> = {},
  ) => {
    const defaults = { repo_path: '.', gate: false, update_baseline: false }
    return merge.run({ ...defaults, folders, ...input } as MergeInput, context(root, env))
  }
  /** Scans all shards; their folders. */
  const shards = async (root: string, count: number, input: object = {}): Promise<string[]> => {
    const folders: string[] = []
    for (let index = 1; index <= count; index++)
      folders.push((await scanned(root, { ...input, shard: `${index}/${count}` })).shard!.folder)
    return folders
  }
  return { scanned, merged, shards }
}

export const { scanned, merged, shards } = makeScans(ENV)

/** The same with the repository's own rules alone. */
export const withOwnRules = makeScans({ ...ENV, ...OWN_RULES })

export function git(root: string, ...args: string[]): void {
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })
}

/** One file that is missing, one that is there, one that is forbidden. */
const POLICIES = {
  ...policy('local-license', 'required_file: LICENSE', 'other', 'LICENSE'),
  ...policy('local-readme', 'required_file: README.md', 'other', 'README.md'),
  ...policy('local-backup', 'forbidden_file: true', 'a.bak', 'a.txt', "files: ['**/*.bak']"),
}

/**
 * A repository with everything that is judged over all of its files: suppressions that hold, that have expired and that hold
 * nothing; a baseline with a stale entry and a renamed file; required and forbidden files; skipped files of many kinds; a folder with a
 * configuration of its own; a rule that a file stops; real sources.
 */
export async function everything(): Promise<string> {
  const root = project({
    ...wordRule('frobnicate'),
    ...wordRule('backtrack', "regex: '^(?:x+)+$'\nmatch: ['xxx']\nclean: ['b']"),
    ...POLICIES,
    'README.md': '# A project\n',
    '.gitignore': 'out/\n',
    'gone.txt': 'we frobnicate here\n',
    'moves.txt': 'they frobnicate there\nlong ago\nand now\n',
    'old/held.py': 'import yaml\nyaml.load(input(), Loader=yaml.Loader)\n# frobnicate\n',
  })
  await scanned(root, { update_baseline: true })
  git(root, 'rm', '-q', 'gone.txt')
  git(root, 'mv', 'moves.txt', 'moved.txt')
  const sources = readdirSync(join(ROOT, 'engine/scan')).filter(name => name.endsWith('.ts'))
  write(root, {
    ...Object.fromEntries(sources.map(name => [`engine/${name}`, textOf(`engine/scan/${name}`)])),
    '.svc/config.yaml':
      'scan: { max_file_bytes: 100000, rule_deadline_ms: 50 }\nscan_exclude: [left/out/**]\nseverity_rescoring_enabled: true\n',
    '.svc/suppressions.yaml': [
      '- { rule: local-frobnicate, file: "docs/**", reason: "it is what the page is about" }',
      '- { rule: local-frobnicate, file: "src/**", reason: "until then", expires: 2020-01-01 }',
      '- { rule: local-frobnicate, file: "no/such/**", reason: "nothing there" }',
    ].join('\n'),
    'docs/a.md': 'How to frobnicate\n',
    'src/a.py': 'frobnicate()  # svc-ignore: local-frobnicate -- on purpose\neval(input())\n',
    'src/b.js': '// svc-ignore: js-eval-dynamic -- holds nothing\nconst a = 1\nfrobnicate(a)\n',
    'src/c.js': 'eval(location.hash)\nelement.innerHTML = location.hash\n',
    'src/test_d.py': 'frobnicate()\n',
    'src/z.bak': 'an old frobnicate\n',
    'legacy/.svc/config.yaml': 'packs: { disable: [python] }\nscan_exclude: [deep/**]\n',
    'legacy/a.py': 'import yaml\nyaml.load(input(), Loader=yaml.Loader)\nfrobnicate()\n',
    'legacy/deep/b.py': 'frobnicate()\n',
    'left/out/a.py': 'frobnicate()\n',
    'slow.txt': `${'x'.repeat(60)}b\n`,
    'big.py': 'x = 1\n'.repeat(20_000),
    'app.min.js': `${'a=1;'.repeat(15_000)}\n`,
    'picture.png': new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 1]),
    'odd.txt': new Uint8Array([0xc3, 0x28, 0xa0, 0xa1, 0x80, 10]),
    script: '#!/usr/bin/env python3\nimport yaml\nyaml.load(input(), Loader=yaml.Loader)\n',
    'vendor/x.go': 'package x\n',
    'empty.py': '',
  })
  git(root, 'add', '-A')
  git(root, 'commit', '-qm', 'second')
  write(root, { 'untracked.py': 'frobnicate()\n', 'README.md': '# A project, changed\n' })
  return root
}

/** All that a stored run leaves, ids and times aside. */
export async function left(root: string): Promise<Record<string, unknown>> {
  const out = join(root, 'out')
  const { id, started_at, finished_at, duration_ms, ...run } = JSON.parse(
    readFileSync(join(out, 'run.json'), 'utf8'),
  ) as Run
  const own = (text: string) => text.replaceAll(id, 'ID')
  const texts = readdirSync(out).filter(name => /^(findings|report)\./.test(name))
  const history = join(out, 'history', id)
  // When a finding was first seen names the run itself: each run without one before it is the first.
  const findings = join(out, 'findings-without-ids.parquet')
  const { connection, close } = await openWriter()
  const stored = quotePath(join(history, 'findings.parquet'))
  await connection.run(copy(`SELECT * EXCLUDE (first_seen) FROM read_parquet(${stored})`, findings))
  close()
  const bytes = (path: string) => readFileSync(path).toString('base64')
  const tables = { findings: bytes(findings), files: bytes(join(history, 'files.parquet')) }
  rmSync(findings)
  return {
    run,
    ...Object.fromEntries(texts.map(name => [name, own(readFileSync(join(out, name), 'utf8'))])),
    ...tables,
  }
}

/** A small repository with one finding. */
export const SMALL = {
  ...wordRule('frobnicate'),
  '.gitignore': 'out/\n',
  'a.py': 'frobnicate()\n',
  'b.py': 'pass\n',
  'c.md': 'x\n',
}
