import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { measure, type Row, sideBySide } from './process.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')

/** What the commit hook takes: for a commit of ten files beside a Node that does nothing, and for one of 400 files by itself. */
export async function bench(): Promise<Row[]> {
  const small = repository(10, 30)
  const large = repository(400, 100)
  try {
    const node = process.execPath
    const [empty, hook] = await sideBySide(21, [
      () => measure(node, ['-e', '0'], small),
      () => measure(node, [SVC, 'pre-commit-scan'], small),
    ])
    const [big] = await sideBySide(7, [() => measure(node, [SVC, 'pre-commit-scan'], large)])
    const ratio = hook!.ms / empty!.ms
    return [
      {
        name: 'svc pre-commit-scan with 10 staged files against node -e 0',
        figure: `${ratio.toFixed(2)} × (${hook!.ms.toFixed(0)} ms, ${empty!.ms.toFixed(0)} ms)`,
        target: '≤ 3 ×',
        ok: ratio <= 3 && hook!.code === 0,
      },
      {
        name: 'svc pre-commit-scan with 400 staged files of 40,000 lines in all',
        figure: `${big!.ms.toFixed(0)} ms`,
        target: '≤ 1000 ms',
        ok: big!.ms <= 1000 && big!.code === 0,
      },
    ]
  } finally {
    for (const folder of [small, large]) rmSync(folder, { recursive: true })
  }
}

/** A repository with one commit, and staged changes in `files` files of `lines` lines: half TypeScript, half Python. */
function repository(files: number, lines: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-hook-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  git('init', '-q')
  mkdirSync(join(folder, 'src'))
  const write = (extra: number) => {
    for (let file = 0; file < files; file++) {
      const text = file % 2 === 0 ? typescript(file, lines - 1 + extra) : python(file, lines - 1 + extra)
      writeFileSync(join(folder, 'src', `part${file}.${file % 2 === 0 ? 'ts' : 'py'}`), text)
    }
    git('add', '-A')
  }
  write(0)
  git('commit', '-qm', 'one')
  write(1)
  return folder
}

/** Code of the kind that rules look into: calls of databases, commands and files, all of them harmless. */
function typescript(file: number, lines: number): string {
  const body = [
    (i: number) => `export async function load${i}(id: string) {`,
    (i: number) => `  const rows = await db.query('SELECT name FROM part${file} WHERE id = $1', [id, ${i}])`,
    () => "  if (rows.length === 0) throw new Error('not found')",
    () => '  return rows.map(row => ({ ...row, name: row.name.trim() }))',
    () => '}',
  ]
  return `${Array.from({ length: lines }, (_, i) => body[i % body.length]!(i)).join('\n')}\n`
}

function python(file: number, lines: number): string {
  const body = [
    (i: number) => `def load_${i}(cursor, key):`,
    () => `    cursor.execute("SELECT name FROM part${file} WHERE id = %s", (key,))`,
    (i: number) => `    names = [row[0].strip() for row in cursor.fetchall()][:${i}]`,
    () => '    return subprocess.run(["sort"], input="\\n".join(names), text=True, check=True).stdout',
    () => '',
  ]
  return `import subprocess\n${Array.from({ length: lines - 1 }, (_, i) => body[i % body.length]!(i)).join('\n')}\n`
}
