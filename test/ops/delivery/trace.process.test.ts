import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import coverage from '../../../engine/ops/delivery/coverage.ts'
import trace from '../../../engine/ops/delivery/trace.ts'
import scan from '../../../engine/ops/scan/run.ts'
import { context, refusal, view } from '../../made/call.ts'
import { project } from '../../made/project.ts'

const REQUIREMENTS = `requirements:
- id: REQ-1
  title: Users log in
  controls: [soc2:CC6.1]
- id: REQ-2
  title: Passwords are hashed <script>alert(1)</script>
  files: [src/hash/**]
- id: REQ-3
  title: Sessions end
`
const FILES = {
  'requirements.yaml': REQUIREMENTS,
  'src/login.ts': '/** @req REQ-1 */\nexport function login() {}\n\n// @req REQ-11\nexport const x = 1\n',
  'src/hash/hash.ts': 'export const hash = 1\n',
  'src/other.ts': 'export const other = 1\n',
  'test/login.test.ts': "// @verifies REQ-1\nit('logs in', () => {})\n",
  '.svc/config.yaml': 'requirements:\n  require_links: [src/**]\n',
}

describe('svc trace', () => {
  it('traces requirements to code, tests and controls, and back', async () => {
    const root = project(FILES)
    const matrix = await trace.run({}, context(root))
    expect(matrix.rows.map(({ id, state }) => [id, state])).toEqual([
      ['REQ-1', 'covered'],
      ['REQ-2', 'untested'],
      ['REQ-3', 'unimplemented'],
    ])
    expect(matrix.rows[0]).toMatchObject({ code: [{ file: 'src/login.ts', line: 1, symbol: 'login' }] })
    expect(matrix.files).toContainEqual({ file: 'test/login.test.ts', implements: [], tests: ['REQ-1'] })
    expect(matrix.controls).toEqual([{ control: 'soc2:CC6.1', requirements: ['REQ-1'], state: 'covered' }])
    expect(matrix.orphans).toEqual(['src/other.ts'])
    expect(matrix.problems).toMatchObject([{ kind: 'dangling', file: 'src/login.ts', line: 4, id: 'REQ-11' }])
    expect(matrix.summary.coverage).toBe(33.3)
    expect(trace.text!(matrix, view)).toContain('33.3 % covered')
  })

  it('takes the last run from a JUnit report that git ignores', async () => {
    const root = project({
      ...FILES,
      '.gitignore': 'junit.xml\n',
      'junit.xml':
        '<testsuite><testcase file="test/login.test.ts" classname="x" name="y"><failure/></testcase></testsuite>',
    })
    const { rows } = await trace.run({}, context(root))
    expect(rows[0]).toMatchObject({ state: 'partly', tests: [{ last_run: { outcome: 'failed' } }] })
  })

  it('exits with 1 below the least coverage, and where a file of requirements cannot be read', async () => {
    const root = project(FILES)
    const exit = async (min_coverage: number, where = root) =>
      trace.exit!(await trace.run({ min_coverage }, context(where)))
    expect(await exit(33)).toBe(0)
    expect(await exit(34)).toBe(1)
    expect(await exit(0, project({ ...FILES, 'requirements.csv': 'nothing\n' }))).toBe(1)
  })

  it('writes a page that runs no markup of the repository', async () => {
    const root = project(FILES)
    const { written } = await trace.run({ format: 'html' }, context(root))
    const page = readFileSync(join(root, written!), 'utf8')
    expect(page).toContain('hashed &lt;script&gt;alert(1)')
    expect(page).not.toContain('<script>alert(1)')
    expect(page).toContain("default-src 'none'")
  })

  it('prints CSV and Markdown with the states', async () => {
    const root = project(FILES)
    const csv = (await trace.run({ format: 'csv' }, context(root))).content!
    expect(csv.split('\r\n')[1]).toMatch(/^REQ-1,Users log in,approved,covered,/)
    const markdown = (await trace.run({ format: 'markdown' }, context(root))).content!
    expect(markdown).toContain('| `REQ-3` Sessions end | unimplemented: no code is linked |')
  })

  it('refuses a repository without requirements', async () => {
    expect((await refusal(() => trace.run({}, context(project({ 'a.ts': '' }))))).code).toBe('NOT_FOUND')
  })

  it('links what a commit that names a requirement changed, and the branch that names it', async () => {
    const root = project({ 'requirements.yaml': REQUIREMENTS })
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })
    git('checkout', '-q', '-b', 'feature/REQ-3-sessions')
    writeFileSync(join(root, 'session.ts'), 'export const end = 1\n')
    git('add', '-A')
    git('commit', '-q', '-m', 'End sessions (REQ-3)')
    const row = (await trace.run({}, context(root))).rows[2]!
    expect(row).toMatchObject({
      ...{ state: 'untested', branches: ['feature/REQ-3-sessions'] },
      ...{ commits: [{ subject: 'End sessions (REQ-3)' }], code: [{ file: 'session.ts', origin: 'commit' }] },
    })
  })
})

it('GET /api/check-coverage lists what is not covered', async () => {
  const answer = await coverage.run({ min_coverage: 50 }, context(project(FILES)))
  expect(answer).toMatchObject({ passed: false, uncovered: [{ id: 'REQ-2' }, { id: 'REQ-3' }] })
})

it('a scan reports wrong links and code without a requirement, each with its line', async () => {
  const root = project(FILES)
  await scan.run({ repo_path: '.', cache: false, staged: false } as never, context(root))
  expect(existsSync(join(root, 'out/findings.json'))).toBe(true)
  const findings = JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8')) as {
    rule_id: string
    file: string
    line: number
  }[]
  const own = findings.filter(({ rule_id }) => rule_id.startsWith('requirements:'))
  expect(own.map(({ rule_id, file, line }) => `${rule_id} ${file}:${line}`)).toEqual([
    'requirements:dangling src/login.ts:4',
    'requirements:orphan src/other.ts:1',
  ])
})

it('a scan reports wrong links where the requirements are items of Doorstop alone, and nothing where a name only promises some', async () => {
  const scanned = async (files: Record<string, string>) => {
    const root = project({ ...files, 'src/door.ts': '// @req SRD009\nexport const a = 1\n' })
    await scan.run({ repo_path: '.', cache: false, staged: false } as never, context(root))
    const findings = JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8')) as { rule_id: string }[]
    return findings.map(({ rule_id }) => rule_id).filter(id => id.startsWith('requirements:'))
  }
  const mark = { 'reqs/.doorstop.yml': 'settings:\n  digits: 3\n  prefix: SRD\n' }
  expect(await scanned({ ...mark, 'reqs/SRD001.yml': 'text: The door opens.\n' })).toEqual(['requirements:dangling'])
  expect(await scanned({ ...mark, 'requirements/notes.md': '# Notes\n' })).toEqual([])
})
