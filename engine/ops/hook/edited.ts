import { realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { type } from 'arktype'
import { REASONS } from '../../assure/model.ts'
import { isInside } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { toEngineError } from '../../base/errors.ts'
import { isBrokenOff } from '../../base/records/run.ts'
import { clip, escapeInvisibleLine } from '../../base/text/visible.ts'
import { defineOperation } from '../../door/operation.ts'
import { formatAnswer } from '../../governance/hook/answer.ts'
import { readToolCall } from '../../governance/hook/call.ts'
import { type Checked, checkCode, leavesUnknown } from '../../sdk/check.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

/** Larger files are left to the gate. */
const MOST_BYTES = 1 << 20
/** An edit of more files is left to the gate. */
const MOST_FILES = 20
/** Findings that one answer names. */
const MOST_SHOWN = 10

/** Scans the files that an assistant has just edited, and tells it of findings in its own protocol. */
export default defineOperation({
  id: 'hook.edited',
  summary: 'Scan the file that a coding assistant has just edited; for its post-edit hook.',
  effect: 'read',
  action: 'run_scan',
  unbound: true,
  cli: 'hook edited',
  rest: null,
  mcp: null,
  input: type({ '+': 'reject' }),
  output: type({
    files: type('string[]').describe('the files that were scanned, those in part too'),
    findings: 'number.integer',
    not_scanned: type('string[]').describe('files that were not, or only partly, scanned, each with the reason'),
    response: type('string').describe("the response in the assistant's own protocol; empty without findings"),
  }),
  examples: [['svc assistant-init', 'install it for the assistants of the repository']],

  async run(_input, context) {
    const found = readToolCall((await context.readStdin?.()) ?? '', context.cwd, context.env)
    if (!found) {
      context.notice('The message of the hook cannot be parsed, so nothing was scanned.')
      return { files: [], findings: 0, not_scanned: ['the message of the hook'], response: '' }
    }
    const root = realpathSync(findRepositoryRoot(found.call.cwd))
    const asked = [...new Set(found.doing.paths)].filter(path => isInside(root, path))
    const paths = asked.slice(0, MOST_FILES)
    const not_scanned = asked.slice(MOST_FILES).map(path => `${relative(root, path)}: too many files`)
    const files: string[] = []
    const lines: string[] = []
    for (const path of paths) {
      const filename = relative(root, path).split(sep).join('/')
      try {
        const code = readSettings(root, filename, { most: MOST_BYTES })?.toString('utf8')
        if (code === undefined) continue
        const checked = await checkCode({ code, filename }, { ...context, cwd: root })
        const { findings } = checked
        const gaps = describeGaps(checked)
        if (checked.unsearched.every(({ state }) => state === 'partly')) files.push(filename)
        if (gaps.length > 0) not_scanned.push(`${filename}: ${gaps.join('; ')}`)
        for (const { line, severity, title, rule_id, status } of findings)
          if (status === 'open') lines.push(`${filename}:${line} ${severity}: ${title} (${rule_id})`)
      } catch (error) {
        not_scanned.push(`${filename}: ${toEngineError(error).message}`)
      }
    }
    for (const one of not_scanned) context.notice(`Not, or only partly, scanned: ${escapeInvisibleLine(one)}`)
    const shown = lines.slice(0, MOST_SHOWN).map(line => clip(escapeInvisibleLine(line), 300))
    const reason = `svc found ${lines.length} in what was edited. Fix the code; \`svc explain <rule>\` says how.\n${shown.join('\n')}`
    const told = { reason, protocol: found.call.protocol, tool: found.call.tool, paths: [] }
    const response = lines.length === 0 ? '' : formatAnswer({ ...told, decision: 'deny', when: 'after' })
    if (lines.length > 0 && response === '') context.notice(reason)
    return { files, findings: lines.length, not_scanned, response }
  },

  text: ({ response }) => response,

  exit: ({ findings, response }) => (findings > 0 && response === '' ? 2 : 0),
})

/** Why the check of a file is not the whole answer; empty where it is. Rules whose grammar does not understand the code are a known limit and none. */
function describeGaps({ unsearched, not_evaluated }: Checked): string[] {
  const states = { skipped: 'not scanned', partly: 'partly scanned' }
  const files = unsearched.filter(leavesUnknown).map(({ state, reason }) => `${states[state]}: ${formatReason(reason)}`)
  const rules = not_evaluated.filter(({ reason }) => isBrokenOff(reason))
  return [...files, ...rules.map(({ rule_id, reason }) => `${rule_id} was not evaluated: ${formatReason(reason)}`)]
}

function formatReason(reason: string): string {
  return REASONS[reason as keyof typeof REASONS] ?? reason
}
