import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { type } from 'arktype'
import { auditServers, describeAudit } from '../../assistants/audit/audit.ts'
import { LOCK_PATH } from '../../assistants/audit/lock.ts'
import { resolveOutputFile } from '../../base/disk/output-file.ts'
import { readNamedSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { rankSeverity } from '../../base/records/finding.ts'
import { FindingType } from '../../base/records/finding-schema.ts'
import { type JsonObject, parseObject } from '../../base/text/json-object.ts'
import type { Style } from '../../base/text/view.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { applySuppressions } from '../../findings/suppression.ts'
import { readSuppressions } from '../../findings/suppression-file.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'

const STYLE: Readonly<Record<string, Style>> = { critical: 'red', high: 'red', medium: 'yellow' }
const MOST_TOOLS_FILE = 16 << 20

/** Audits MCP configurations; starts no program unless `connect` says so. */
export default defineOperation({
  id: 'assistants.audit',
  summary: 'Audit MCP server configurations for security risks.',
  effect: 'write',
  action: ({ connect }) => (connect ? 'edit_config' : 'run_scan'),
  weakens: ({ update_lock }) => update_lock,
  paths: ({ connect, sarif }) => [...(connect ? [LOCK_PATH] : []), ...(sarif === undefined ? [] : [sarif])],
  cli: 'audit-mcp',
  rest: null,
  mcp: null,
  input: type({
    user: type('boolean').describe('true or false: audit the configurations of the user, too').default(false),
    connect: type('boolean')
      .describe('true or false: start each local server, list its tools and compare them with .svc/mcp-lock.json')
      .default(false),
    update_lock: type('boolean').describe('true or false: pin changed tools again; needs connect').default(false),
    timeout: type('1 <= number.integer <= 600').describe('seconds to wait for a server, 1 to 600').default(30),
    'tools?': type('string > 0').describe('a JSON file with saved tool lists: server name to the answer of tools/list'),
    'sarif?': type('string > 0').describe('a SARIF file to write'),
    '+': 'reject',
  }),
  output: type({
    configurations: type('string[]').describe('the configurations that were read'),
    servers: type({
      name: 'string',
      client: 'string',
      file: 'string',
      line: 'number.integer',
      'tools?': type('number.integer').describe('the number of tools; left out where they are unknown'),
    }).array(),
    findings: FindingType.array(),
    not_evaluated: type({ file: 'string', detail: 'string' }).array().describe('what could not be audited: unknown'),
    lock: type
      .enumerated('none', 'unchanged', 'written')
      .configure({ description: 'none, unchanged or written' }, 'self'),
  }),
  examples: [
    ['svc audit-mcp', 'audit the configurations of the repository'],
    ['svc audit-mcp --user --sarif mcp.sarif', 'audit those of the user, too, and write SARIF'],
    ['svc audit-mcp --tools tools.json', 'audit saved tool lists without starting a server'],
    ['svc audit-mcp --connect', 'start local servers, and pin their tools or report changes'],
  ],

  check({ connect, update_lock, tools }, { cwd }) {
    requireConnect(update_lock, connect)
    if (tools !== undefined) readToolFile(cwd, tools)
  },

  async run({ user, connect, update_lock, timeout, tools, sarif }, { cwd, env, signal }) {
    requireConnect(update_lock, connect)
    const root = findRepositoryRoot(cwd)
    const saved = tools === undefined ? undefined : readToolFile(cwd, tools)
    const output = sarif === undefined ? undefined : resolveOutputFile(cwd, sarif)
    const audit = await auditServers(
      {
        root,
        ...(user && { home: env.HOME || homedir() }),
        ...(saved && { saved }),
        ...(connect && { connect: { timeout_ms: timeout * 1000, update_lock } }),
      },
      { env, signal },
    )
    const now = new Date()
    const judged = applySuppressions(audit.findings, new Map(), await readSuppressions(root), {
      today: now.toISOString().slice(0, 10),
      whole: false,
    })
    const findings = judged.findings.sort(
      (a, b) =>
        rankSeverity(a.severity) - rankSeverity(b.severity) ||
        (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
    )
    const result = { ...audit, findings }
    if (output !== undefined) {
      const [{ renderAudit }, { writePieces }] = await Promise.all([
        import('../../assistants/audit/sarif.ts'),
        import('../../assure/report.ts'),
      ])
      writePieces(output, renderAudit(root, result, now))
    }
    return result
  },

  text(output, { paint, quiet }) {
    const { findings, not_evaluated } = output
    const open = findings.filter(({ status }) => status === 'open')
    const held = findings.length - open.length
    const gaps = not_evaluated.length > 0 ? `, ${not_evaluated.length} not evaluated` : ''
    const head = `${describeAudit(output)}: ${formatCount(open.length, 'open finding')}${held > 0 ? ` (${held} suppressed)` : ''}${gaps}.`
    if (quiet) return head
    const lines = open.flatMap(({ file, line, severity, rule_id, title, snippet, remediation }) => [
      `${paint(STYLE[severity] ?? 'dim', severity.padEnd(8))} ${escapeInvisibleLine(`${file}:${line}`)}  ${title}`,
      `         ${escapeInvisibleLine(snippet)}`,
      `         ${paint('dim', `${rule_id}: ${remediation}`)}`,
    ])
    const unknown = not_evaluated.map(
      ({ file, detail }) => `${paint('yellow', 'unknown ')} ${escapeInvisibleLine(`${file}: ${detail}`)}`,
    )
    return [...lines, ...unknown, head].join('\n')
  },

  exit: ({ findings, not_evaluated }) =>
    not_evaluated.length > 0 || findings.some(({ status }) => status === 'open') ? 1 : 0,
})

function requireConnect(update_lock: boolean, connect: boolean): void {
  if (update_lock && !connect) throw new EngineError('USAGE', '--update-lock needs --connect.')
}

function readToolFile(cwd: string, named: string): JsonObject {
  const path = resolve(cwd, named)
  if (!existsSync(path)) throw new EngineError('NOT_FOUND', `There is no file ${named}.`)
  const text = readNamedSettings(path, named, { most: MOST_TOOLS_FILE })?.toString('utf8') ?? ''
  const lists = parseObject(text.replace(/^\uFEFF/, ''))
  if (lists) return lists
  throw new EngineError('INPUT_INVALID', `${named} is no JSON object of tool lists.`, {
    hint: 'Write {"<server>": {"tools": […]}}, with the answer of tools/list.',
  })
}
