import { beforeAll, describe, expect, test } from 'vitest'
import type { Run } from '../../engine/base/records/run.ts'
import { decideOn } from '../../engine/gate/verdict.ts'
import preCommitScan from '../../engine/ops/hook/scan.ts'
import { perform } from '../../engine/scan/perform.ts'
import { surface } from '../made/call.ts'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { project } from '../made/project.ts'

/** A change of which a source file is not searched by everything, whatever made it so. */

const INJECTION = `const { exec } = require("child_process");app.get("/",(req,res)=>{exec("ls "+req.query.x)});`
/** Padded until it counts as minified. */
const PADDED = `${INJECTION}${'a[0]=b(c);'.repeat(500)}\n`
const PYTHON = '#!/usr/bin/env python3\nimport os, sys\nos.system("ls " + sys.argv[1])\n'
const COMMENT = `# ${'x'.repeat(77)}\n`.repeat(80_000)

async function judged(root: string, input: object) {
  const performed = await perform({ repo_path: '.', ...input }, surface(root).context)
  return { ...performed, gate: decideOn(performed) }
}

/** What the run says of files that were not searched; that other files were not followed is said of every change. */
const unread = ({ notices }: Run) => notices.filter(({ kind }) => kind !== 'other_files_not_followed')

/** The change judged as it is staged, by the hook too, and then as a range; all must agree. */
async function change(root: string, files: Record<string, string | Uint8Array>) {
  write(root, files)
  git(root, 'add', '-A', '-f')
  const staged = await judged(root, { staged: true })
  const hook = await preCommitScan.run({}, surface(root).context)
  expect(hook.passed).toBe(staged.gate.passed)
  git(root, 'commit', '-qm', 'change')
  const range = await judged(root, { git_range: 'HEAD~1..HEAD' })
  expect(range.gate).toEqual(staged.gate)
  return range
}

describe('a source file of a change that counts as minified', () => {
  test.each(['app.js', 'src/app.ts', 'lib/deep/app.cjs'])('fails the gate where it is new: %s', async path => {
    const { gate, run } = await change(project({ 'README.md': 'x\n' }), { [path]: PADDED })
    expect(gate).toMatchObject({ passed: false, failures: [{ kind: 'not_scanned', file: path }] })
    expect(gate.reasons[0]).toContain('minified')
    expect(unread(run)).toMatchObject([{ kind: 'unread_file', file: path }])
  })

  test('fails it where it was written before the change', async () => {
    const { gate } = await change(project({ 'app.js': 'run()\n' }), { 'app.js': PADDED })
    expect(gate.failures).toMatchObject([{ kind: 'not_scanned', file: 'app.js' }])
  })

  test('fails it where its language is known by its first line alone', async () => {
    const { gate } = await change(project({ 'README.md': 'x\n' }), { serve: `#!/usr/bin/env node\n${PADDED}` })
    expect(gate.failures).toMatchObject([{ kind: 'not_scanned', file: 'serve' }])
  })

  test('passes where it was minified before, renamed too', async () => {
    const root = project({ 'app.js': PADDED, 'old.js': `${PADDED}//` })
    git(root, 'mv', 'old.js', 'new.js')
    const { gate, run } = await change(root, { 'app.js': `a[1]=b(c);${PADDED}` })
    expect([gate.passed, unread(run)]).toEqual([true, []])
  })

  test.each(['app.min.js', 'dist/app.js', 'web/vendor/lib.js', '.yarn/releases/yarn.cjs'])(
    'passes with a notice where it is named as a built or vendored one: %s',
    async path => {
      const { gate, run } = await change(project({ 'README.md': 'x\n' }), { [path]: PADDED })
      expect(gate.passed).toBe(true)
      expect(unread(run)).toMatchObject([{ kind: 'unread_file', file: path }])
    },
  )

  test('of many built ones there is one notice, with their number', async () => {
    const files = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`dist/${n}.js`, PADDED]))
    const { run } = await change(project({ 'README.md': 'x\n' }), files)
    expect(unread(run)).toHaveLength(1)
    expect(unread(run)[0]!.detail).toContain('8 more')
  })

  test('passes where it is data or a style sheet', async () => {
    const { gate } = await change(project({ 'README.md': 'x\n' }), {
      'data.json': `[${'"ab",'.repeat(30_000)}1]`,
      'app.css': 'a{b:c;d:e}'.repeat(900),
    })
    expect(gate.passed).toBe(true)
  })

  test('fails no gate on the whole repository', async () => {
    const { gate, run } = await judged(project({ 'app.js': PADDED }), {})
    expect([gate.passed, run.ledger!.partly]).toEqual([true, { minified: 1 }])
  })
})

describe('a source file without an extension, known by its first line', () => {
  const FORMS: Record<string, string | Uint8Array> = {}
  beforeAll(() => {
    FORMS['over the size limit'] = PYTHON + COMMENT
    FORMS['with binary data behind its code'] = Buffer.concat([
      Buffer.from(PYTHON),
      Buffer.from(Array.from({ length: 90_000 }, (_, at) => (at * 7919 + (at >> 3) * 104729) & 255)),
    ])
  })

  test.each(['over the size limit', 'with binary data behind its code'])('fails the gate %s', async form => {
    const { gate } = await change(project({ 'README.md': 'x\n' }), { tool: FORMS[form]! })
    expect(gate.failures).toMatchObject([{ kind: 'not_scanned', file: 'tool' }])
  })

  test('is none where its first line says that it is data', async () => {
    const { gate } = await change(project({ 'README.md': 'x\n' }), { notes: `some text\n${COMMENT}` })
    expect(gate.passed).toBe(true)
  })
})
