import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { View } from '../../../engine/base/text/view.ts'
import fix from '../../../engine/ops/hook/fix.ts'
import preCommitScan from '../../../engine/ops/hook/scan.ts'
import { surface } from '../../made/call.ts'
import { OWN_RULES, wordRule } from '../../made/rules.ts'

/** A view without colours. */
export const view: View = { verbose: false, quiet: false, width: 80, paint: (_style, text) => text }

/** Rules that replace a word: `bad` is high, `worse` critical. */
export const RULES = {
  ...wordRule('bad', 'severity: high\nfix: good'),
  ...wordRule('worse', 'severity: critical\nfix: best'),
  '.gitignore': 'out/\n',
}

/** svc pre-commit-scan in a folder. */
export const scan = (root: string, env = {}) =>
  preCommitScan.run({}, surface(root, { env: { ...OWN_RULES, ...env } }).context)

/** svc fix-hook in a folder. */
export const run = (root: string, input = { dry_run: false }, env = {}) =>
  fix.run(input, surface(root, { env: { ...OWN_RULES, ...env } }).context)

export const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

/** What is staged at a path. */
export const staged = (root: string, path: string) =>
  execFileSync('git', ['show', `:${path}`], { cwd: root }).toString()
