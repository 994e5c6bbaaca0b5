import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { DIST } from '../engine/base/disk/assets.ts'
import type { Finding } from '../engine/base/records/finding.ts'
import type { Row } from './process.ts'

/** Edits that are measured, after some that warm the process up as an agent's first ones do. */
const EDITS = 60
const WARM_UP = 10
const LINES = 500
const RULE = 'python-yaml-unsafe-load'

/** An agent's edit through the process that stays, `svc mcp-server`: the code it is about to write, to the finding with a fix it can apply. */
export async function bench(): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'svc-inline-'))
  execFileSync('git', ['init', '-q'], { cwd: root })
  const program = fileURLToPath(new URL('svc.js', DIST))
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp-server', '--tools', 'check_code_snippet'],
    cwd: root,
  })
  const client = new Client({ name: 'bench', version: '1' })
  try {
    await client.connect(transport)
    const times: number[] = []
    let fixed = 0
    let before = 0
    for (let edit = 0; edit < WARM_UP + EDITS; edit++) {
      if (edit === WARM_UP) before = readProcessorTime(transport.pid!)
      const code = makeCode(edit)
      const begun = performance.now()
      const answer = await client.callTool({ name: 'check_code_snippet', arguments: { code, filename: 'src/a.py' } })
      if (edit < WARM_UP) continue
      times.push(performance.now() - begun)
      if (isFixed(code, (answer.structuredContent as { findings: Finding[] }).findings)) fixed++
    }
    const cpu = (readProcessorTime(transport.pid!) - before) / EDITS
    times.sort((a, b) => a - b)
    const p95 = times[Math.floor(times.length * 0.95)]!
    const what = `an agent's edit of ${LINES} lines of Python through check_code_snippet of svc mcp-server`
    return [
      {
        name: `${what}: to the finding, p95`,
        figure: `${p95.toFixed(0)} ms (${cpu.toFixed(0)} ms of processor time)`,
        target: '≤ 150 ms',
        ok: p95 <= 150,
      },
      {
        name: `${what}: fixes that give safe code when applied`,
        figure: `${fixed} of ${EDITS}`,
        target: 'all',
        ok: fixed === EDITS,
      },
    ]
  } finally {
    await client.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** Functions of plain code, and in the middle one that an unsafe call was put into; each edit has its own text. */
function makeCode(edit: number): string {
  const lines = ['import os', 'import yaml', '']
  while (lines.length < LINES) {
    const n = lines.length
    if (n > LINES / 2 && n < LINES / 2 + 6)
      lines.push(`def load${edit}(text):`, '    return yaml.load(text, Loader=yaml.Loader)', '')
    else
      lines.push(
        `def handle${n}(rows, limit=${n}):`,
        `    chosen = [each for each in rows if each.amount > limit]`,
        `    total = sum(each.amount for each in chosen)`,
        `    return os.path.join("out", f"{total}.json")`,
        '',
      )
  }
  return `${lines.slice(0, LINES).join('\n')}\n`
}

/** Whether the findings are those that were put in, and their edits make the call safe. */
function isFixed(code: string, findings: readonly Finding[]): boolean {
  if (findings.length === 0 || findings.some(({ rule_id }) => rule_id !== RULE)) return false
  const starts = [0]
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  const offset = (line: number, column: number) => starts[line - 1]! + column - 1
  const edits = findings
    .flatMap(({ fix }) => fix?.edits ?? [])
    .sort((a, b) => offset(b.start_line, b.start_column) - offset(a.start_line, a.start_column))
  let text = code
  for (const { start_line, start_column, end_line, end_column, text: insert } of edits)
    text = text.slice(0, offset(start_line, start_column)) + insert + text.slice(offset(end_line, end_column))
  const unsafe = 'yaml.load(text, Loader=yaml.Loader)'
  return code.includes(unsafe) && !text.includes(unsafe) && /yaml\.safe_load\(text|Loader=yaml\.SafeLoader/.test(text)
}

/** Processor time of a process until now, milliseconds (proc(5); 100 ticks a second). */
function readProcessorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
