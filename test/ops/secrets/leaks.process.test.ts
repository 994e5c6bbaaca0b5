import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { sample } from '../../../engine/detect/secrets/sample.ts'
import { zip } from '../../detect/archive/zip.ts'
import { value } from '../../detect/secrets/made.ts'
import { write } from '../../made/folder.ts'
import { git } from '../../made/git.ts'
import { project } from '../../made/project.ts'
import { ROOT } from '../../root.ts'
import { formsOf } from './forms.ts'

const PROGRAM = join(ROOT, 'dist/svc.js')

const PASSWORD = value('{upper:1}{lower:5}{digits:3}{base62:4}', 'leak')
const token = (seed: string) => sample('ghp_{base62:30}{crc32}', seed)
const [PLAIN, CODED, PARTED, PACKED, GONE, ESCAPED] = ['plain', 'coded', 'parted', 'packed', 'gone', 'escaped'].map(
  token,
) as [string, string, string, string, string, string]
const DECODED = value('{upper:1}{lower:5}{digits:3}{base62:6}', 'decoded')
const base64 = (text: string) => Buffer.from(text).toString('base64')
const VALUES = [PASSWORD, PLAIN, CODED, PARTED, PACKED, GONE, ESCAPED, DECODED]

function svc(root: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    cwd: root,
    encoding: 'latin1',
    env: { PATH: process.env.PATH!, HOME: root, XDG_STATE_HOME: join(root, '.state'), NODE_DEBUG: '' },
  })
  return stdout + stderr
}

describe('no value, and none of its encoded forms,', () => {
  const told: string[] = []
  const rows: string[] = []
  let files: string[]

  beforeAll(async () => {
    const root = project({ 'gone.py': `token = "${GONE}"\n`, 'x.py': 'x = 1\n' })
    git(root, 'rm', '-q', 'gone.py')
    write(root, {
      'a.py': `password = "${PASSWORD}"\nurl = "https://bob:${PASSWORD}@host.io/"\neval(input("${PASSWORD}"))\n# ${base64(PASSWORD)}\n`,
      'b.py': `eval("${PLAIN}")\ntoken = "${PLAIN}"\nh = "${Buffer.from(PLAIN).toString('hex')}"\n`,
      'coded.yaml': `config: ${base64(`user: bob\ntoken: ${CODED}\n`)}\n`,
      'secret.yaml': `apiVersion: v1\nkind: Secret\ndata:\n  password: ${base64(DECODED)}\n`,
      'parted.js': `const t = "${PARTED.slice(0, 12)}" +\n  "${PARTED.slice(12)}"\n`,
      'escaped.js': `const e = "${[...ESCAPED].map(char => `\\x${char.charCodeAt(0).toString(16)}`).join('')}"\n`,
      'packed.zip': zip({ 'conf/p.py': `token = "${PACKED}"\n` }),
      // A rule that cannot be read, and a suppression that is not used, have something to say of their own.
      '.svc/suppressions.yaml': '- rule: secret-generic-password\n  file: none/**\n  reason: unused\n',
    })
    git(root, 'add', '-A')
    told.push(svc(root, 'secrets', '--staged'), svc(root, 'pre-commit-scan'))
    git(root, 'commit', '-qm', 'second')
    for (const more of [
      [],
      ['--json'],
      ['--explain'],
      ['--history'],
      ['--history', '--json'],
      ['-v'],
      ['--git-range', 'HEAD~1..HEAD'],
    ])
      told.push(svc(root, 'secrets', ...more))
    told.push(svc(root, 'scan', '-v'), svc(root, 'scan', '--json'), svc(root, 'gate'))
    for (const format of ['html', 'sarif', 'junit', 'csv', 'markdown', 'gitlab', 'json'])
      told.push(svc(root, 'report', '--format', format), svc(root, 'report', '--format', format, '-o', '-'))
    told.push(svc(root, 'secrets', '--baseline'), svc(root, 'scan', '--update-baseline'))
    const instance = await DuckDBInstance.create(':memory:')
    const database = await instance.connect()
    files = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .filter(path => !path.startsWith(join(root, '.git/')) && !/\/(?:a|b|x)\.py$|\.(?:js|yaml|zip)$/.test(path))
    for (const path of files) {
      rows.push(readFileSync(path).toString('latin1'))
      if (!path.endsWith('.parquet')) continue
      const reader = await database.runAndReadAll(`SELECT * FROM '${path}'`)
      rows.push(JSON.stringify(reader.getRowObjectsJson()))
    }
  })

  it('is in what the program says, of what was found and of what went wrong', () => {
    const all = told.join('\n')
    for (const place of [
      'a.py',
      'b.py',
      'coded.yaml',
      'secret.yaml',
      'parted.js',
      'escaped.js',
      'packed.zip!conf/p.py',
      'gone.py',
    ])
      expect(all).toContain(place)
    expect(VALUES.flatMap(formsOf).filter(form => all.includes(form))).toEqual([])
  })

  it('is in any file that it writes, the stored runs read as what they hold', () => {
    const all = rows.join('\n')
    for (const name of ['scan.cache', 'report.html', 'report.sarif', 'findings.json', '.parquet', 'baseline.json'])
      expect(
        files.some(path => path.endsWith(name)),
        name,
      ).toBe(true)
    expect(all).toContain('packed.zip!conf/p.py')
    expect(VALUES.flatMap(formsOf).filter(form => all.includes(form))).toEqual([])
  })
})
