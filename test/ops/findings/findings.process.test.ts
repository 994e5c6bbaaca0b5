import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding, Severity } from '../../../engine/base/records/finding.ts'
import { quoteShellWord } from '../../../engine/base/text/words.ts'
import { type AgentContext, buildAgentContext } from '../../../engine/findings/agent-context.ts'
import type { Pack } from '../../../engine/sources/packs/pack.ts'
import { openStore } from '../../../engine/sources/store/open.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { ask } from '../../made/ask.ts'
import { empty } from '../../made/project.ts'
import fc from '../../made/property.ts'
import { finding, run } from '../../sources/store/make.ts'

async function scanned(findings: Finding[]): Promise<string> {
  const { root, out } = await empty()
  await writeRun(
    out,
    run('run-01', findings, { score: 71.5, gate: { passed: false, reasons: ['1 critical finding.'] } }),
    findings,
    [],
  )
  return root
}

const fix = { edits: [{ start_line: 3, start_column: 5, end_line: 3, end_column: 12, text: 'ast.literal_eval(x)' }] }

describe('GET /api/findings', () => {
  test('filters by severity, rule, file, status and category, and counts what passes the filter', async () => {
    const root = await scanned([
      finding(1),
      finding(2, { severity: 'low', category: 'secret', file: 'lib/a.py' }),
      finding(3, { severity: 'critical', status: 'baseline', rule_id: 'other', file: 'lib/b/c.py' }),
    ])
    const ids = async (input: Record<string, unknown>) => {
      const { output } = await ask<{ findings: Finding[]; total: number }>('findings.list', input, root)
      expect(output.total).toBe(output.findings.length)
      return output.findings.map(({ id }) => id)
    }
    expect(await ids({})).toEqual(['F-2', 'F-3', 'F-1'])
    expect(await ids({ sort: 'severity' })).toEqual(['F-3', 'F-1', 'F-2'])
    expect(await ids({ severity: ['low', 'critical'] })).toEqual(['F-2', 'F-3'])
    expect(await ids({ file: 'lib' })).toEqual(['F-2', 'F-3'])
    expect(await ids({ file: 'lib/b/c.py', status: 'open' })).toEqual([])
    expect(await ids({ status: 'baseline', rule: 'other' })).toEqual(['F-3'])
    expect(await ids({ category: 'secret' })).toEqual(['F-2'])
    await expect(ids({ severity: ['grave'] })).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })
})

describe('get_scan_summary', () => {
  test('tells the counts, the worst rules, files and controls, what was held back and what the gate said, in a few lines', async () => {
    const root = await scanned([
      finding(1, { severity: 'critical' }),
      finding(2),
      finding(3, { status: 'suppressed', suppression: { kind: 'inline', reason: 'x' } }),
    ])
    const { output, text } = await ask('findings.summary', {}, root)
    expect(output).toMatchObject({
      open: 2,
      suppressed: 1,
      critical: 1,
      high: 1,
      files_scanned: 2,
      files_skipped: 1,
      score: 71.5,
    })
    expect(text.split('\n').length).toBeLessThan(25)
    for (const part of [
      '2 open findings',
      '1 critical, 1 high',
      '1 suppressed',
      'Gate failed: 1 critical finding.',
      'owasp-top-10 A03:2021 (2)',
    ]) {
      expect(text).toContain(part)
    }
  })
})

describe('next-action', () => {
  test('names the worst first, one finding a rule, one with a ready fix before its equals, with place, reason, remedy and commands', async () => {
    const root = await scanned([
      finding(1),
      finding(2, { fix }),
      finding(3, { rule_id: 'grave', severity: 'critical', file: "it's here.py" }),
      finding(4, { rule_id: 'slight', severity: 'low' }),
      finding(5, { rule_id: 'held', severity: 'critical', status: 'baseline' }),
      finding(6, { rule_id: 'hopeless', severity: 'critical', remediation: '' }),
    ])
    const { output, text } = await ask<{ open: number; actions: Record<string, unknown>[] }>(
      'findings.next-action',
      {},
      root,
    )
    expect(output.open).toBe(5)
    expect(output.actions.map(({ rule_id, file, alike }) => [rule_id, file, alike])).toEqual([
      ['grave', "it's here.py", 0],
      ['py-eval', 'src/f000002.py', 1],
      ['slight', 'src/f000004.py', 0],
    ])
    expect(output.actions[0]).toMatchObject({
      line: 3,
      reason: 'Whoever controls the text controls the program.',
      see: 'svc explain grave',
      accept: `svc suppress --rule grave --file 'it'\\''s here.py' --reason "…"`,
    })
    expect(output.actions[1]).toMatchObject({ fix })
    expect(text).toContain('line 3: ast.literal_eval(x)')
    expect(text).toContain('and 1 more finding of this rule')
    expect((await ask<{ actions: unknown[] }>('findings.next-action', { limit: 1 }, root)).output.actions).toHaveLength(
      1,
    )
  })

  test('says so where there is nothing to fix', async () => {
    const root = await scanned([finding(1, { status: 'suppressed', suppression: { kind: 'inline', reason: 'x' } })])
    expect((await ask('findings.next-action', {}, root)).text).toMatch(/^Nothing to fix/)
  })

  test('answers for the repository that is named, and says which tree and run it speaks of', async () => {
    const [here, there] = [await scanned([finding(1)]), await scanned([finding(2)])]
    const { output, text } = await ask<{ actions: { file: string }[]; scanned: unknown }>(
      'findings.next-action',
      { repo_path: there },
      here,
    )
    expect(output.actions.map(({ file }) => file)).toEqual(['src/f000002.py'])
    expect(output.scanned).toMatchObject({ root_name: 'project', scope: 'everything' })
    expect(text).toMatch(/^Latest scan of project \(everything\), \d{4}-\d\d-\d\d \d\d:\d\d UTC, run run-01\.\n/)
  })

  test('narrows the actions to a file or a directory', async () => {
    const root = await scanned([
      finding(1, { file: 'src/a.py', severity: 'critical' }),
      finding(2, { file: 'lib/b.py' }),
      finding(3, { file: 'library/c.py', rule_id: 'other' }),
    ])
    for (const path of ['src/a.py', 'lib/b.py', 'library/c.py']) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), '')
    }
    const files = async (repo_path: string) =>
      (await ask<{ actions: { file: string }[] }>('findings.next-action', { repo_path }, root)).output.actions.map(
        ({ file }) => file,
      )
    expect(await files('.')).toEqual(['src/a.py', 'library/c.py'])
    expect(await files('lib')).toEqual(['lib/b.py'])
    expect(await files('lib/b.py')).toEqual(['lib/b.py'])
    await expect(files('nowhere')).rejects.toMatchObject({ code: 'REPO_NOT_FOUND' })
  })

  test('goes on with the baseline where nothing is open, and says so', async () => {
    const root = await scanned([finding(1, { status: 'baseline' }), finding(2, { status: 'baseline' })])
    const { output, text } = await ask<{ from: string; actions: { file: string; alike: number }[] }>(
      'findings.next-action',
      {},
      root,
    )
    expect(output).toMatchObject({ open: 0, baseline: 2, from: 'baseline', actions: [{ alike: 1 }] })
    expect(text).toMatch(/\n\nNo open findings\. 2 findings in the baseline, most severe first:/)
    expect(text).toMatch(/svc scan --update-baseline` to remove what is fixed\.$/)
  })

  test('writes a path of any name as one word of a shell', async () => {
    const { execFileSync } = await import('node:child_process')
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-composite', maxLength: 20 }).filter(text => !text.includes('\0')),
        text => execFileSync('sh', ['-c', `printf %s ${quoteShellWord(text)}`], { encoding: 'utf8' }) === text,
      ),
      { numRuns: 50 },
    )
  })
})

describe('context', () => {
  test('writes out/agent_context.json from the latest run, or the file that is named', async () => {
    const root = await scanned([finding(1), finding(2, { severity: 'critical' })])
    const { output } = await ask('findings.context', {}, root)
    expect(output).toMatchObject({ path: 'out/agent_context.json', run_id: 'run-01', open: 2, files: 2 })
    const document = JSON.parse(await readFile(join(root, 'out/agent_context.json'), 'utf8')) as AgentContext
    expect(document.project).toMatchObject({ name: 'project', run_id: 'run-01', score: 71.5 })
    expect(document.gate).toEqual({ fail_on: ['critical', 'high'], passed: false, reasons: ['1 critical finding.'] })
    expect(document.open_findings.files[0]).toEqual({
      file: 'src/f000002.py',
      findings: [{ line: 3, severity: 'critical', rule_id: 'py-eval', title: 'Text is run as code' }],
    })
    await ask('findings.context', { output: 'docs/agent/context.json' }, root)
    expect(existsSync(join(root, 'docs/agent/context.json'))).toBe(true)
    const printed = await ask('findings.context', { output: '-' }, root)
    expect(JSON.parse(printed.text)).toEqual(document)
    expect(existsSync(join(root, '-'))).toBe(false)
    await expect(ask('findings.context', { output: 'docs' }, root)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  test('lists the rules that are broken here first, then the gravest of the languages used, of active packs only', async () => {
    const rule = (id: string, severity: Severity, languages: string[]) => ({
      id,
      severity,
      languages,
      title: id,
      remediation: 'Do\n  better.',
    })
    const rules = [
      rule('grave-go', 'critical', ['go']),
      rule('grave', 'critical', ['python']),
      rule('py-eval', 'low', ['python']),
      rule('all', 'high', ['any']),
    ]
    const packs = [
      { id: 'python-security', rules },
      { id: 'off', rules: [rule('off', 'critical', ['python'])] },
    ] as unknown as Pack[]
    const { rules: listed } = await contextOf([finding(1)], packs)
    expect(listed.map(({ id }) => id)).toEqual(['py-eval', 'grave', 'all'])
    expect(listed[0]!.how).toBe('Do better.')
  })

  test('stays small however much there is, and says how many findings it left out', async () => {
    const long = 'A long text about what is wrong here. '.repeat(40)
    const many = Array.from({ length: 900 }, (_, n) => finding(n, { title: long, file: `src/${n % 90}/f.py` }))
    const rules = Array.from({ length: 500 }, (_, n) => ({
      id: `rule-${n}`,
      severity: 'high',
      languages: ['python'],
      title: `rule ${n}`,
      remediation: long,
    }))
    const document = await contextOf(many, [{ id: 'python-security', rules }] as unknown as Pack[])
    expect(JSON.stringify(document).length).toBeLessThan(50_000)
    const listed = document.open_findings.files.flatMap(({ findings }) => findings).length
    expect(document.open_findings.not_listed).toBe(900 - listed)
  })
})

async function contextOf(findings: Finding[], packs: Pack[]): Promise<AgentContext> {
  const { out } = await empty()
  const record = run('run-01', findings)
  await writeRun(out, record, findings, [])
  const store = await openStore(out)
  const summary = await store.summary('latest')
  store.close()
  return buildAgentContext({ run: record, summary, findings, packs, fail_on: ['critical'] })
}
