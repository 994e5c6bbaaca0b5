import { expect, test } from 'vitest'
import type { Run } from '../../../engine/base/records/run.ts'
import type { View } from '../../../engine/base/text/view.ts'
import gate from '../../../engine/ops/gate/check.ts'
import scan from '../../../engine/ops/scan/run.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { wordRule } from '../../made/rules.ts'

const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }
const DEFAULTS = { repo_path: '.', staged: false, update_baseline: false, actionable_only: false }
const run = (root: string) => scan.run({ ...DEFAULTS } as Parameters<typeof scan.run>[0], surface(root).context)
const judge = (root: string) =>
  gate.run({ ...DEFAULTS } as unknown as Parameters<typeof gate.run>[0], surface(root).context)
const RULE = wordRule('sad', "regex: '\\bbad\\b'\nmatch: ['bad']\nclean: ['good']")
const entry = (more: string) => ({ '.svc/suppressions.yaml': `- rule: local-sad\n  reason: ours\n${more}` })
const kinds = ({ run: record }: { run: object }) =>
  (record as Run).notices.map(({ kind, file, line }) => [kind, file, line])

test('a suppression holds the gate open until its day has passed, and is named from then on', async () => {
  const root = project({ ...RULE, 'a.py': 'bad\n', '.gitignore': 'out/\n', ...entry('  expires: 2999-12-31\n') })
  expect((await judge(root)).passed).toBe(true)
  expect(kinds(await run(root))).toEqual([])
  write(root, entry('  expires: 2020-01-31\n'))
  expect((await judge(root)).passed).toBe(false)
  const output = await run(root)
  expect(kinds(output)).toEqual([['suppression_expired', '.svc/suppressions.yaml', 1]])
  expect(scan.text(output, view)).toContain(
    '.svc/suppressions.yaml:1: The suppression of local-sad expired on 2020-01-31',
  )
})

test('suppressions that hold nothing are named with their place, in files and in the code, and one without a reason does not hold', async () => {
  const root = project({
    ...RULE,
    'a.py': 'x = 1\n# svc-ignore: local-sad -- long gone\ny = 2\n',
    'b.py': 'bad # svc-ignore: local-sad\n',
    '.gitignore': 'out/\n',
    ...entry('  file: legacy/**\n'),
  })
  const output = await run(root)
  expect(kinds(output)).toEqual([
    ['suppression_unused', 'a.py', 2],
    ['suppression_invalid', 'b.py', 1],
    ['suppression_unused', '.svc/suppressions.yaml', 1],
  ])
  expect(output.findings).toMatchObject([{ file: 'b.py', status: 'open' }])
  expect(scan.text(output, view)).toContain('a.py:2: svc-ignore of local-sad covers no finding.')
})
