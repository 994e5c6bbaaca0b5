import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/base/records/finding.ts'
import { ask } from '../made/ask.ts'
import { write } from '../made/folder.ts'
import { git } from '../made/git.ts'
import { project } from '../made/project.ts'

const SOURCES = {
  '.gitignore': 'out/\n',
  'src/find.py': `from flask import Flask, request

app = Flask(__name__)


@app.route("/item")
def item():
    cursor.execute("SELECT * FROM item WHERE name = '" + request.args["name"] + "'")


@app.route("/user")
def user():
    cursor.execute("SELECT * FROM user WHERE name = '" + request.args["name"] + "'")
`,
  'src/Find.java': `class Find extends HttpServlet {
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    connection.createStatement().executeQuery("select * from item where name = '" + request.getParameter("name") + "'");
  }
}
`,
}

/** What the version before wrote for these sources, when each language had a rule of its own, and a gap as it wrote them. */
const FORMER = {
  version: 1,
  entries: [
    { fingerprint: 'fbff5458bd1eaee36a1ce2215ff57e03', rule_id: 'java-sql-injection', file: 'src/Find.java', line: 3 },
    { fingerprint: '2fb52d1fa4f0cb0f674d5700084d0b58', rule_id: 'python-sql-injection', file: 'src/find.py', line: 13 },
    { fingerprint: 'bf35e7e897df03f8ae238d0c95d2382a', rule_id: 'python-sql-injection', file: 'src/find.py', line: 8 },
  ],
  gaps: [{ rule_id: 'python-sql-injection', file: 'src/large.py' }],
}
const BASELINE = { '.svc/baseline.json': `${JSON.stringify(FORMER, null, 2)}\n` }

interface Scanned {
  findings: Finding[]
  run: { notices: { kind: string }[]; counts: { rules: number } }
}

const scan = async (root: string, input = {}) =>
  (await ask<Scanned>('scan.run', { repo_path: '.', ...input }, root)).output
const statuses = ({ findings }: Scanned) =>
  findings.map(({ file, line, rule_id, status }) => `${file}:${line} ${rule_id} ${status}`)
const OPEN = [
  'src/Find.java:3 sql-injection open',
  'src/find.py:8 sql-injection open',
  'src/find.py:13 sql-injection open',
]

describe('a rule that is one in all languages', () => {
  test('has one id in findings, and the key of each language is still what their fingerprints are made of', async () => {
    const { findings } = await scan(project(SOURCES))
    expect(findings.map(({ rule_id, also, fingerprint }) => [rule_id, also, fingerprint])).toEqual([
      ['sql-injection', ['java-sql-injection'], 'fbff5458bd1eaee36a1ce2215ff57e03'],
      ['sql-injection', ['python-sql-injection'], 'bf35e7e897df03f8ae238d0c95d2382a'],
      ['sql-injection', ['python-sql-injection'], '2fb52d1fa4f0cb0f674d5700084d0b58'],
    ])
  })

  test('is held by a baseline of the version before, also where a file was renamed since, and takes its id over when that is renewed', async () => {
    const root = project({ ...SOURCES, ...BASELINE })
    git(root, 'mv', 'src/find.py', 'src/search.py')
    const before = await scan(root)
    expect(before.findings.map(({ status }) => status)).toEqual(['baseline', 'baseline', 'baseline'])
    expect(before.run.notices).toEqual([])
    await scan(root, { update_baseline: true })
    const { entries } = JSON.parse(readFileSync(join(root, '.svc/baseline.json'), 'utf8'))
    expect(entries.map(({ rule_id, file }: Record<string, string>) => `${rule_id} ${file}`)).toEqual([
      'sql-injection src/Find.java',
      'sql-injection src/search.py',
      'sql-injection src/search.py',
    ])
    expect(entries[0].fingerprint).toBe('fbff5458bd1eaee36a1ce2215ff57e03')
  })

  test('is suppressed by its id everywhere and by a former id in that language alone, in a file of suppressions and in a comment', async () => {
    const root = project({ ...SOURCES, '.svc/suppressions.yaml': '- rule: java-sql-injection\n  reason: ours\n' })
    expect(statuses(await scan(root))).toEqual(['src/Find.java:3 sql-injection suppressed', ...OPEN.slice(1)])
    write(root, { '.svc/suppressions.yaml': '- rule: sql-injection\n  reason: ours\n' })
    expect((await scan(root)).findings.map(({ status }) => status)).toEqual(Array(3).fill('suppressed'))
    write(root, { '.svc/suppressions.yaml': '- rule: java-sql-injection\n  reason: ours\n' })
    const removed = await ask<{ changed: object[] }>('findings.suppress', { rule: 'sql-injection', remove: true }, root)
    expect(removed.output.changed).toMatchObject([{ rule: 'java-sql-injection' }])
    const marked = SOURCES['src/find.py'].replace(/(?<=user WHERE.*)$/m, ' # svc-ignore: python-sql-injection -- ours')
    write(root, { '.svc/suppressions.yaml': '', 'src/find.py': marked })
    const scanned = await scan(root)
    expect(statuses(scanned)).toEqual([...OPEN.slice(0, 2), 'src/find.py:13 sql-injection suppressed'])
    expect(scanned.run.notices).toEqual([])
  })

  test('is overridden by its id everywhere, and by a former id in that language alone, which goes first', async () => {
    const root = project({
      ...SOURCES,
      '.svc/config.yaml':
        'packs:\n  overrides:\n    sql-injection: { severity: low }\n    java-sql-injection: { severity: critical }\n',
    })
    expect((await scan(root)).findings.map(({ severity }) => severity)).toEqual(['critical', 'low', 'low'])
    write(root, { '.svc/config.yaml': 'packs:\n  overrides:\n    python-sql-injection: { enabled: false }\n' })
    expect(statuses(await scan(root))).toEqual(OPEN.slice(0, 1))
  })

  test('is filtered by either id, and SARIF names the former ones', async () => {
    const root = project(SOURCES)
    await scan(root)
    const list = async (rule: string) => (await ask<{ total: number }>('findings.list', { rule }, root)).output.total
    expect([
      await list('sql-injection'),
      await list('python-sql-injection'),
      await list('go-sql-from-request'),
    ]).toEqual([3, 2, 0])
    const query = async (filter: Record<string, string[]>) =>
      (await ask<{ total: number }>('findings.query', { filter, facets: ['rule'] }, root)).output.total
    expect([await query({ rule: ['sql-injection'] }), await query({ rule: ['python-sql-injection'] })]).toEqual([3, 2])
    expect(await query({ rule: ['java-sql-injection', 'python-sql-injection'], language: ['java'] })).toBe(1)
    const { runs } = JSON.parse(readFileSync(join(root, 'out/report.sarif'), 'utf8'))
    const rules: { id: string; deprecatedIds?: string[] }[] = runs[0].tool.driver.rules
    expect(rules.filter(({ id }) => id === 'sql-injection')).toHaveLength(1)
    expect(rules.find(({ id }) => id === 'sql-injection')!.deprecatedIds).toEqual(
      expect.arrayContaining(['java-sql-injection', 'python-sql-injection']),
    )
    expect(rules.some(({ id }) => id === 'java-sql-injection')).toBe(false)
    // A rule that never had another id says nothing of former ones.
    expect(rules.filter(({ deprecatedIds }) => deprecatedIds?.length === 0)).toEqual([])
  })

  test('is one rule in the document for agents, with what to do in the languages of the repository', async () => {
    const root = project({
      ...SOURCES,
      '.svc/config.yaml': 'packs:\n  detect: false\n  enable: [java, django-flask-fastapi]\n',
    })
    await scan(root)
    await ask('findings.context', {}, root)
    const { rules } = JSON.parse(readFileSync(join(root, 'out/agent_context.json'), 'utf8'))
    expect(rules[0]).toMatchObject({ id: 'sql-injection', how: expect.stringMatching(/^python: |java: /) })
    expect(new Set(rules.map(({ id }: { id: string }) => id)).size).toBe(rules.length)
  })

  test('is what a policy that names a former id still means, and one that names both, or how ids begin', async () => {
    const policy = (name: string, check: string) =>
      `  - name: ${name}\n    reason: never\n    cel:\n      for: finding\n      check: ${check}\n`
    const policies = [
      policy('no-java', 'finding.rule != "java-sql-injection"'),
      policy('no-sql', 'finding.rule != "sql-injection"'),
      policy('no-java-prefix', `'!finding.rule.startsWith("java-")'`),
      policy('no-sql-suffix', `'!finding.rule.startsWith("sql-")'`),
      policy('both', 'finding.rule != "sql-injection" && finding.rule != "java-sql-injection-2"'),
      policy('either', 'finding.rule == "java-sql-injection" || finding.rule != "sql-injection"'),
    ]
    const root = project({ ...SOURCES, '.svc/policies.yaml': `policies:\n${policies.join('')}` })
    const { findings } = await scan(root)
    const of = (name: string) =>
      findings.filter(({ rule_id }) => rule_id === `policies:${name}`).map(({ file }) => file)
    expect(of('no-java')).toEqual(['src/Find.java'])
    const all = ['src/Find.java', 'src/find.py', 'src/find.py']
    expect(of('no-sql')).toEqual(all)
    expect(of('no-java-prefix')).toEqual(all.slice(0, 1))
    expect(of('no-sql-suffix')).toEqual(all)
    expect(of('both')).toEqual(all)
    expect(of('either')).toEqual(all)
  })
})

/** Code for which the version before had findings of rules that are merged into forms since, and the baseline that it wrote. */
const MERGED = {
  '.gitignore': 'out/\n',
  'app/Login.cs': 'class A { public IActionResult Login(string returnUrl) { return Redirect(returnUrl); } }\n',
  '.svc/baseline.json': `${JSON.stringify({
    version: 1,
    entries: [
      {
        fingerprint: '7dc269946b2302d4f812385f9fbb7ae8',
        rule_id: 'csharp-redirect-from-request',
        file: 'app/Login.cs',
        line: 1,
      },
    ],
  })}\n`,
}
const HOUSE = '.svc/packs/house'
const [FORMER_ID, FORM] = ['csharp-redirect-from-request', 'csharp-open-redirect']

describe('a rule that was merged into a form of another', () => {
  const open = { ...MERGED, '.svc/baseline.json': '{"version":1,"entries":[]}' }

  test('is held by a baseline of the version before, which takes the new id over when it is renewed', async () => {
    const root = project(MERGED)
    const before = await scan(root)
    expect(before.findings.map(({ rule_id, also, status }) => [rule_id, also, status])).toEqual([
      ['open-redirect', [FORM, FORMER_ID], 'baseline'],
    ])
    expect(before.run.notices).toEqual([])
    await scan(root, { update_baseline: true })
    const { entries } = JSON.parse(readFileSync(join(root, '.svc/baseline.json'), 'utf8'))
    expect(entries).toMatchObject([{ rule_id: 'open-redirect', fingerprint: before.findings[0]!.fingerprint }])
  })

  test('is known in a baseline also where its finding is gone', async () => {
    const root = project({ ...MERGED, 'app/Login.cs': 'class A {}\n' })
    const { run } = await scan(root)
    expect(run.notices).toMatchObject([{ kind: 'baseline_stale' }])
  })

  test('is suppressed, overridden and filtered by its id', async () => {
    const root = project({ ...open, '.svc/suppressions.yaml': `- rule: ${FORMER_ID}\n  reason: ours\n` })
    expect(statuses(await scan(root))).toEqual(['app/Login.cs:1 open-redirect suppressed'])
    const override = (line: string) => `packs:\n  overrides:\n    ${FORMER_ID}: { ${line} }\n`
    write(root, { '.svc/suppressions.yaml': '', '.svc/config.yaml': override('severity: low') })
    expect((await scan(root)).findings.map(({ severity }) => severity)).toEqual(['low'])
    expect((await ask<{ total: number }>('findings.list', { rule: FORMER_ID }, root)).output.total).toBe(1)
    write(root, { '.svc/config.yaml': override('enabled: false') })
    expect((await scan(root)).findings).toEqual([])
  })

  test('is what a framework that maps it and a policy that names it still mean', async () => {
    const mapping = `    maps:\n      - why: Links of others must not lead users to another site.\n        rules: [${FORMER_ID}]\n`
    const root = project({
      ...open,
      [`${HOUSE}/pack.yaml`]: `id: house\nname: House rules\nversion: 1.0.0\ndescription: Rules of the house.\nframework:\n  id: house\n  name: House\n  edition: '1'\n  source: https://example.com/house\n  date: '2026'\ncontrols:\n  - id: H1\n    title: Redirects stay on the site\n    meaning: No redirect leads to another site.\n${mapping}`,
      '.svc/config.yaml': 'packs:\n  enable: [house]\n',
      '.svc/policies.yaml': `policies:\n  - name: none\n    reason: never\n    cel:\n      for: finding\n      check: finding.rule != "${FORMER_ID}"\n`,
    })
    const { findings } = await scan(root)
    expect(findings.find(({ rule_id }) => rule_id === 'open-redirect')?.controls).toContainEqual({
      framework: 'house',
      control: 'H1',
    })
    expect(findings.map(({ rule_id }) => rule_id)).toContain('policies:none')
    const lint = async () => {
      const linted = await ask<{ problems: { check: string; message: string }[] }>('packs.lint', { pack: HOUSE }, root)
      return linted.output.problems.filter(({ check }) => check === 'unknown-control').map(({ message }) => message)
    }
    expect(await lint()).toEqual([])
    const pack = readFileSync(join(root, HOUSE, 'pack.yaml'), 'utf8')
    write(root, { [`${HOUSE}/pack.yaml`]: pack.replace(FORMER_ID, 'csharp-no-such-rule') })
    expect(await lint()).toEqual(['no rule csharp-no-such-rule'])
  })
})
