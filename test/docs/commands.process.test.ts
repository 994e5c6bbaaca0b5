import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folder, PROGRAM } from '../ci/project.ts'
import { write } from '../made/folder.ts'
import { textOf } from '../root.ts'
import { type Block, listBlocks, PAGES } from './pages.ts'

const blocks = PAGES.flatMap(listBlocks).filter(({ file }) => !file)
const scripts = (JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }).scripts

/** Makes the project that a reader is in: findings of several kinds, a remote, a branch with one commit, and something staged. */
function makeModel(): string {
  const top = mkdtempSync(join(tmpdir(), 'svc-pages-'))
  const root = join(top, 'project')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.org', ...args], {
      cwd: root,
      stdio: 'pipe',
    })
  write(root, {
    'src/app.py': 'import yaml\n\n\ndef load(text):\n    return yaml.load(text, Loader=yaml.Loader)\n',
    'src/auth/login.ts':
      "import { createHash } from 'node:crypto'\n\nexport const digest = (word: string) => createHash('md5').update(word).digest('hex')\n",
    'legacy/run.js': 'const run = text => eval(text)\n',
    'third_party/lib.js': 'module.exports = 1\n',
    'package.json': '{ "name": "project", "version": "1.0.0" }\n',
    '.gitignore': 'out/\n',
  })
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  execFileSync('git', ['clone', '-q', '--bare', root, join(top, 'origin.git')], { stdio: 'pipe' })
  // Relative, so that a copy has a remote of its own.
  git('remote', 'add', 'origin', '../origin.git')
  git('fetch', '-q', 'origin')
  git('checkout', '-q', '-b', 'branch')
  write(root, { 'src/more.py': 'print(1)\n' })
  git('add', '.')
  git('commit', '-q', '-m', 'second')
  return top
}

let model: string | undefined

/** A project of its own for each page: git makes the first, and the others are copies. */
function makeProject(): string {
  model ??= makeModel()
  const top = folder()
  cpSync(model, top, { recursive: true, verbatimSymlinks: true })
  const root = join(top, 'project')
  // The index has the times of the files that it was written for.
  execFileSync('git', ['update-index', '-q', '--refresh'], { cwd: root })
  return root
}

/** Runs the blocks of a page one after the other in one project, and returns what failed: the command and what it said. */
function runPage(page: readonly Block[]): string[] {
  const root = makeProject()
  const home = folder()
  const bin = join(home, 'bin')
  const log = join(home, 'failures')
  mkdirSync(bin)
  // 1 is a judgment of svc (a finding, a difference); every other code but 0 says that the page is wrong.
  writeFileSync(
    join(bin, 'svc'),
    `#!/bin/sh\ntimeout 100 "${process.execPath}" "${PROGRAM}" "$@" 2>"${home}/said"\ncode=$?\ncat "${home}/said" >&2\n` +
      `[ $code -le 1 ] || { echo "svc $*: exit $code"; head -3 "${home}/said"; } >> "${log}"\nexit $code\n`,
  )
  chmodSync(join(bin, 'svc'), 0o755)
  const env = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: home,
    XDG_STATE_HOME: join(home, 'state'),
    GIT_AUTHOR_NAME: 'Kim',
    GIT_AUTHOR_EMAIL: 'kim@example.org',
    GIT_COMMITTER_NAME: 'Kim',
    GIT_COMMITTER_EMAIL: 'kim@example.org',
  }
  for (const { page: name, line, script, file, notRun } of page) {
    if (notRun) continue
    if (file) {
      write(root, { [file]: `${script}\n` })
      continue
    }
    const trap = `trap 'code=$?; case "$BASH_COMMAND" in svc\\ *|git\\ commit*) ;; *) echo "${name}:${line} $BASH_COMMAND: exit $code" >> "${log}";; esac' ERR\n`
    const { error } = spawnSync('bash', ['--noprofile', '--norc', '-c', trap + script], {
      cwd: root,
      env,
      timeout: 120_000,
    })
    if (error) return [`${name}:${line}: ${error.message}`]
  }
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []
}

describe('commands in the documentation', () => {
  it.each(PAGES.filter(page => listBlocks(page).some(({ notRun }) => !notRun)))(
    '%s: all run',
    page => {
      expect(runPage(listBlocks(page))).toEqual([])
    },
    240_000,
  )

  it('fail where the program rejects them, and where another program fails', () => {
    const block = {
      page: 'made.md',
      line: 3,
      script: 'svc no-such-command\nsvc gate --no-such-option || true\ncat no-such-file',
    }
    const failures = runPage([block]).filter(line => line.includes(': exit '))
    expect(failures).toEqual([
      'svc no-such-command: exit 64',
      'svc gate --no-such-option: exit 64',
      'made.md:3 cat no-such-file: exit 1',
    ])
  })

  it('are marked where no test can run them, and counted', () => {
    const marked = blocks.filter(({ notRun }) => notRun)
    const reasons = new Map<string, number>()
    for (const { notRun } of marked) reasons.set(notRun!, (reasons.get(notRun!) ?? 0) + 1)
    console.log(
      `${blocks.length - marked.length} of ${blocks.length} blocks of commands run; not run: ${marked.length}`,
    )
    for (const [reason, count] of reasons) console.log(`  ${count} ${reason}`)
    const reasonless = marked.filter(({ notRun }) => !/^(needs|changes) /.test(notRun!))
    expect(reasonless).toEqual([])
    expect(marked.length).toBeLessThan(blocks.length / 2)
  })

  it('name scripts of package.json that exist', () => {
    const named = blocks.flatMap(({ page, script }) =>
      [...script.matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => ({ page, name: name! })),
    )
    expect(named.filter(({ name }) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it('are all in blocks of shell, so that none is left out', () => {
    const outside = PAGES.flatMap(page => {
      const text = textOf(page)
      const fenced = text.replace(/^```[\s\S]*?^```$/gm, '')
      const unlabeled = [...text.matchAll(/^```(?:text)?\n(?:\$ )?svc .*$/gm)].map(([found]) => `${page}: ${found}`)
      return [
        ...[...fenced.matchAll(/^ {4}(?:\$ )?(?:svc|npm|git|npx) .*$/gm)].map(([found]) => `${page}: ${found}`),
        ...unlabeled,
      ]
    })
    expect(outside).toEqual([])
  })
})
