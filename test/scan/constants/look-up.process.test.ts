import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { perform } from '../../../engine/scan/perform.ts'
import { surface } from '../../made/call.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

const MARK = /\s*«(\d+)»/u

/** The files of the programs, without marks, and the places that are marked. */
function readPrograms(): { files: Record<string, string>; marked: string[] } {
  const files: Record<string, string> = {}
  const marked: string[] = []
  for (const part of readFileSync(join(import.meta.dirname, 'programs.txt'), 'utf8')
    .split(/^=== /m)
    .slice(1)) {
    const [path = '', ...lines] = part.split('\n')
    lines.forEach((line, at) => {
      const mark = MARK.exec(line)
      if (mark) marked.push(`${path}:${at + 1} CWE-${mark[1]}`)
    })
    files[path] = lines.map(line => line.replace(MARK, '')).join('\n')
  }
  return { files, marked }
}

const { files, marked } = readPrograms()

async function scan(root: string, input: object = {}) {
  const { context } = surface(root, { env: { SVC_CACHE_KEY: 'k'.repeat(32) } })
  const { findings, run } = await perform({ repo_path: '.', ...input }, context)
  const byValue = findings.filter(({ flow }) => flow?.[0]?.label.startsWith('value of '))
  return { findings: byValue, notices: run.notices.filter(({ kind }) => kind === 'values_not_looked_up') }
}

test('values of constants, enumerations and files of settings are looked up, with and without what the scan before kept', async () => {
  const root = project(files)
  const cold = await scan(root)
  expect(cold.findings.map(({ file, line, cwe }) => `${file}:${line} ${cwe[0]}`).sort()).toEqual(marked.sort())
  expect(cold.notices).toEqual([])
  expect(await scan(root)).toEqual(cold)
  const [first] = cold.findings.filter(({ file, line }) => file.endsWith('Box.java') && line === 12)
  expect(first!.flow!.map(({ file, line }) => `${file}:${line}`)).toEqual([
    'java/src/main/resources/application.properties:1',
    'java/src/main/java/com/acme/Box.java:12',
    'java/src/main/java/com/acme/Box.java:12',
  ])
  expect(first!.snippet).toContain('config.getProperty("cipher")')
  // Only the file with the value changes, and what uses it is judged anew.
  write(root, { 'py/app/settings.py': files['py/app/settings.py']!.replaceAll('False', 'True') })
  const changed = await scan(root)
  expect(changed.findings.filter(({ cwe }) => cwe.includes('CWE-295')).map(({ file }) => file.slice(0, 3))).toEqual([
    'web',
    'web',
  ])
})

const READER =
  'import java.util.Properties;\nimport javax.crypto.Cipher;\nclass A { Cipher a(Properties p) throws Exception { return Cipher.getInstance(p.getProperty("cipher")); } }\n'

test('a key to which two files give different values is counted and not reported', async () => {
  const settings = { 'a.properties': 'cipher=DES/ECB\n', 'b.properties': 'cipher=AES/GCM/NoPadding\n' }
  const root = project({ 'A.java': READER, ...settings })
  const { findings, notices } = await scan(root)
  expect(findings).toEqual([])
  expect(notices.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/1 name .*cipher \(a\.properties, b\.properties\)/),
  ])
  // Where both say the same it is one value, and where none is unsafe nothing is left to tell.
  write(root, { 'b.properties': 'cipher=DES/ECB\n' })
  expect((await scan(root)).findings).toHaveLength(1)
  write(root, { 'a.properties': 'cipher=AES/CCM/NoPadding\n', 'b.properties': 'cipher=AES/GCM/NoPadding\n' })
  expect(await scan(root)).toEqual({ findings: [], notices: [] })
})

test('a finding is identified by the code at the use: its identity tells nothing of the value', async () => {
  const identify = async (value: string) => {
    const root = project({
      'pom.xml': '<project/>',
      'A.java': READER + READER.replace('class A', 'class B'),
      'a.properties': `cipher=${value}\n`,
    })
    return (await scan(root)).findings.map(({ fingerprint, id }) => [fingerprint, id])
  }
  const found = await identify('DES/ECB')
  expect(found).toHaveLength(2)
  expect(new Set(found.flat()).size).toBe(4)
  expect(await identify('RC4')).toEqual(found)
})

test('a comment at the use suppresses the finding, and a rule that is off reports nothing', async () => {
  const root = project({ 'A.java': READER, 'a.properties': 'cipher=DES/ECB\n' })
  const [found] = (await scan(root)).findings
  expect(found).toMatchObject({ file: 'A.java', line: 3, status: 'open' })
  write(root, {
    'A.java': READER.replace('class A', `// svc-ignore: ${found!.rule_id} -- read by an old device\nclass A`),
  })
  expect((await scan(root)).findings).toMatchObject([{ status: 'suppressed' }])
  write(root, { 'A.java': READER, '.svc/config.yaml': 'packs:\n  disable: [java]\n' })
  expect((await scan(root)).findings).toEqual([])
})

test('variables and locals of a module of Terraform are looked up, and what nothing in it tells is counted', async () => {
  const resource = (value: string) =>
    `resource "aws_db_instance" "main" {\n  engine = "postgres"\n  publicly_accessible = ${value}\n}\n`
  const root = project({
    'net/main.tf': resource('var.public'),
    'net/variables.tf': 'variable "public" {\n  type = bool\n  default = true\n}\n',
    'set/main.tf': resource('var.public'),
    'set/variables.tf': 'variable "public" {\n  default = true\n}\n',
    'set/terraform.tfvars': 'public = false\n',
    'named/main.tf': resource('local.public'),
    'named/locals.tf': 'locals {\n  public = true\n}\n',
    'open/main.tf': resource('var.public'),
    'open/variables.tf': 'variable "public" {\n  type = bool\n}\n',
  })
  const { findings, notices } = await scan(root)
  const found = findings.filter(({ snippet }) => snippet.includes('publicly_accessible'))
  expect(found.map(({ file, flow }) => [file, flow![0]!.file])).toEqual([
    ['named/main.tf', 'named/locals.tf'],
    ['net/main.tf', 'net/variables.tf'],
  ])
  expect(notices.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^1 value of resources not evaluated in 1 file \(open\/main\.tf\)/),
  ])
})

test('what is kept for the next scan holds no value of a setting and none that may be a secret, since a CI system may store it', async () => {
  const code = `class A { javax.crypto.spec.SecretKeySpec key(java.util.Properties p) throws Exception {
    javax.crypto.Cipher.getInstance(p.getProperty("algorithm"));
    return new javax.crypto.spec.SecretKeySpec(p.getProperty("word").getBytes(), "AES"); } }
`
  const [word, other] = ['wonderfulkept', 'wonderfulother']
  const names = `class Names { static final String KIND = "DES"; static final String PASSWORD = "${other}"; }\n`
  const use = 'class B { Object b() throws Exception { return javax.crypto.Cipher.getInstance(Names.KIND); } }\n'
  const settings = `algorithm=DES/ECB\nword=${word}\n`
  const sources = { 'A.java': code, 'B.java': use, 'Names.java': names }
  const root = project({ 'pom.xml': '<project/>', ...sources, 'app.properties': settings })
  expect((await scan(root)).findings.length).toBeGreaterThan(0)
  const kept = readFileSync(join(root, '.svc/local/cache/constants.cache'), 'utf8')
  expect(kept).toContain('A.java')
  expect(kept).not.toContain(word)
  expect(kept).not.toContain(other)
  expect(kept).not.toContain('DES/ECB')
})
