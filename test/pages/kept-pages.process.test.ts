import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import type { Context } from '../../engine/base/context.ts'
import architecture from '../../engine/ops/pages/architecture.ts'
import compliance from '../../engine/ops/pages/compliance.ts'
import requirements from '../../engine/ops/pages/requirements.ts'
import { writeRun } from '../../engine/sources/store/write.ts'
import { commit, git, repository } from '../made/git.ts'
import { file, finding, run } from '../sources/store/make.ts'

afterEach(() => vi.restoreAllMocks())

function contextOf(cwd: string): Context {
  return {
    surface: 'rest',
    cwd,
    env: { HOME: cwd },
    signal: new AbortController().signal,
    caller: {},
    emit() {},
    notice() {},
  } as unknown as Context
}

/** Asks a page as a while after everything was written: then its answer may be kept. */
async function askLater<T>(ask: () => T | Promise<T>): Promise<T> {
  const now = Date.now()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 10_000)
  try {
    return await ask()
  } finally {
    clock.mockRestore()
  }
}

function make(files: Record<string, string>): { root: string; write(path: string, text: string): void } {
  const root = repository(join(realpathSync(mkdtempSync(join(tmpdir(), 'svc-kept-'))), 'repo'), files)
  return {
    root,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
  }
}

/** After each change the answer is that of a page that keeps nothing, and another than before; without one it is the very answer of before. */
async function expectTrue(
  ask: () => Promise<unknown>,
  keptPart: (answer: never) => unknown,
  changes: (() => unknown)[],
) {
  for (const [at, change] of changes.entries()) {
    const before = await askLater(ask)
    expect(keptPart((await askLater(ask)) as never), `kept before change ${at}`).toBe(keptPart(before as never))
    await change()
    const after = await askLater(ask)
    expect(after, `change ${at} is seen`).not.toEqual(before)
    // Just after the change nothing is kept.
    expect(after, `change ${at} is answered truly`).toEqual(await ask())
  }
}

it('the architecture page keeps its answer while sources and installed packages stay', async () => {
  const { root, write } = make({
    'src/a.js': "import './b.js'\nimport 'other'\n",
    'src/b.js': 'export {}\n',
    'src/c.js': 'export {}\n',
    'lib/index.js': 'export {}\n',
    'lib/package.json': '{"name":"lib","main":"index.js"}',
    '.gitignore': 'node_modules\n',
  })
  const ask = async () => architecture.run({}, contextOf(root))
  await expectTrue(ask, ({ data }: { data: unknown }) => data, [
    () => {
      // The same size, and the same time of modification.
      const { atime, mtime } = statSync(join(root, 'src/a.js'))
      write('src/a.js', "import './c.js'\nimport 'other'\n")
      utimesSync(join(root, 'src/a.js'), atime, mtime)
    },
    () => {
      mkdirSync(join(root, 'node_modules'))
      symlinkSync('../lib', join(root, 'node_modules/other'))
    },
    () => write('src/d.js', "import './b.js'\n"),
  ])
})

it('the requirements page keeps its answer while files, history, branches and reports of tests stay', async () => {
  const { root, write } = make({
    'requirements.yaml': 'requirements:\n  - { id: REQ-1, title: Users log in }\n',
    'src/a.js': 'export const a = 1\n',
    'test/a.test.js': '// @verifies REQ-1\n',
    '.gitignore': 'reports\n',
  })
  await expectTrue(
    async () => requirements.run({}, contextOf(root)),
    ({ data }: { data: unknown }) => data,
    [
      () => appendFileSync(join(root, 'src/a.js'), '// @req REQ-1\n'),
      () => {
        write('src/b.js', 'export const b = 1\n')
        git(root, 'add', '-A')
        git(root, 'commit', '-qm', 'REQ-1: log in')
      },
      () => git(root, 'branch', 'feature/REQ-1-login'),
      () =>
        write(
          'reports/junit.xml',
          '<testsuites><testsuite file="test/a.test.js"><testcase name="a" file="test/a.test.js"/></testsuite></testsuites>',
        ),
    ],
  )
})

it('the compliance page keeps its answer while the run, the evidence and the settings stay', async () => {
  const { root, write } = make({ 'a.py': 'x = 1\n', 'docs/policy.md': '# Policy\n' })
  const out = join(root, 'out')
  const counts = { met: 0, violated: 0, manual: 0, not_applicable: 0, not_evaluated: 0 }
  const control = {
    ...{ id: 'A01', title: 'Broken access control', state: 'met', because: 'No rule reports it.', checked: 1 },
    ...{ not_evaluated: [], without_files: 0, findings: 0, accepted: 0, obligations: [] },
  }
  const frameworks = [{ id: 'owasp-top-10-2021', name: 'OWASP Top 10', counts, controls: [control] }]
  const store = async (id: string, findings: Parameters<typeof run>[1]) =>
    writeRun(out, { ...run(id, findings), frameworks } as never, findings, [file('a.py')])
  await store('run-01', [])
  commit(root)
  await expectTrue(
    async () => compliance.run({}, contextOf(root)),
    ({ assessment }: { assessment: { data: unknown } }) => assessment.data,
    [
      () => store('run-02', [finding(1, { controls: [{ framework: 'owasp-top-10-2021', control: 'A03' }] })]),
      () =>
        write(
          '.svc/evidence.yaml',
          '- { control: "owasp-top-10-2021:A01", title: Policy, file: docs/policy.md, owner: Dana, observed_at: 2026-01-01, expires: 2099-01-01 }\n',
        ),
    ],
  )
})
