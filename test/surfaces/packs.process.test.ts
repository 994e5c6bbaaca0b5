import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApi } from '../../api/server.ts'
import { DIST } from '../../engine/base/disk/assets.ts'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../engine/door/schemas.ts'
import { formatYaml } from '../../engine/sources/packs/pack-file.ts'
import { runHere } from '../made/command-line.ts'
import { repository } from '../made/project.ts'
import { wordRuleData } from '../sources/packs/pack-samples.ts'

// The same packs through the three faces of svc.

const SVC = fileURLToPath(new URL('svc.js', DIST))
const pack = (words: string[], version = '1.0.0') =>
  formatYaml({
    id: 'acme',
    version,
    name: 'Acme',
    description: 'House rules.',
    rules: words.map(word => wordRuleData(word)),
  })

/** The built program in a process of its own. */
function program(cwd: string, args: string[], input: string) {
  return spawnSync(process.execPath, [SVC, ...args], { cwd, input, encoding: 'utf8' })
}

/** The same command line in this process. */
async function svc(cwd: string, args: string[], input = '') {
  const { code, out, err } = await runHere(args, { cwd, env: process.env, input })
  return { status: code, stdout: out, stderr: err }
}

describe('on the command line', () => {
  test('a pack is imported from standard input, listed, compared, switched off and on', async () => {
    const root = repository({ 'a.py': 'print(1)\n', 'old.yaml': await pack(['bravo']) })
    expect(program(root, ['import-pack', '-', '--enable'], await pack(['alpha'])).status).toBe(0)
    const listed = JSON.parse((await svc(root, ['list-packs', '--json'])).stdout).packs as {
      id: string
      state: string
      own: boolean
    }[]
    expect(listed.find(({ id }) => id === 'acme')).toMatchObject({ state: 'enabled', own: true })
    expect(listed.find(({ id }) => id === 'python')).toMatchObject({ state: 'detected', own: false })
    expect(listed.find(({ id }) => id === 'go')).toMatchObject({ state: 'off' })

    const diff = JSON.parse((await svc(root, ['diff-packs', 'acme', 'old.yaml', '--json'])).stdout)
    expect([diff.added, diff.removed]).toMatchObject([[{ id: 'acme-alpha' }], [{ id: 'acme-bravo' }]])
    const gap = await svc(root, ['gap-analysis', 'acme', 'old.yaml', '-o', 'out/gap.md'])
    expect(gap.stdout).toContain('1 new, 0 strengthened, 0 relaxed, 1 removed')
    expect(readFileSync(join(root, 'out/gap.md'), 'utf8')).toContain('## New\n\n- rule acme-alpha')

    await svc(root, ['remove-pack', 'python'])
    await svc(root, ['remove-pack', 'acme'])
    expect(readFileSync(join(root, '.svc/config.yaml'), 'utf8')).toBe('packs:\n  disable:\n    - python\n')
    await svc(root, ['add-pack', 'python'])
    expect(readFileSync(join(root, '.svc/config.yaml'), 'utf8')).toBe('packs:\n  enable:\n    - python\n')
    expect(await svc(root, ['add-pack', 'pyhton'])).toMatchObject({
      status: 66,
      stderr: expect.stringContaining('did you mean python?'),
    })
  })

  test('what export-pack prints, import-pack takes', async () => {
    const [from, to] = [repository(), repository()]
    await svc(from, ['import-pack', '-'], await pack(['alpha', 'bravo']))
    const { stdout } = await svc(from, ['export-pack', 'acme'])
    expect((await svc(to, ['import-pack', '-'], stdout)).status).toBe(0)
    expect((await svc(to, ['export-pack', 'acme'])).stdout).toBe(stdout)
  })

  test('rules test proves a pack, and exits 1 for an example that does not hold', async () => {
    const root = repository({ 'good.yaml': await pack(['alpha']) })
    writeFileSync(join(root, 'bad.yaml'), (await pack(['alpha'])).replace('nothing of the kind', 'the alpha'))
    expect(await svc(root, ['rules', 'test', 'good.yaml'])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('1 rule, 2 examples'),
    })
    expect(await svc(root, ['rules', 'test', 'bad.yaml'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('the rule fires on it'),
    })
  })

  test('check-inline exits 1 for code in which something is found, 0 for other code, and prints what applies', async () => {
    const root = repository({ 'a.js': 'eval(location.hash)\n' })
    expect(await svc(root, ['check-inline', '--file', 'a.js'])).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('a.js:1:1'),
    })
    expect((await svc(root, ['check-inline', '--code', 'eval(location.hash)', '-f', 'b.js'])).status).toBe(1)
    expect((await svc(root, ['check-inline', '--stdin', '-f', 'b.js'], 'add(1, 2)\n')).status).toBe(0)
    expect((await svc(root, ['check-inline'])).status).toBe(64)
    // Few rules look at what is in no known language, and then that nothing is found says little.
    const other = await svc(root, ['check-inline', '--stdin', '-f', 'b.klingon'], 'x\n')
    expect(other).toMatchObject({ status: 0, stderr: expect.stringContaining('language of b.klingon is unknown') })
    expect((await svc(root, ['check-inline', '--stdin', '-f', 'run'], '#!/bin/sh\necho\n')).stderr).toBe('')
    // What nobody could look into is not known to be clean.
    const deep = await svc(root, ['check-inline', '--stdin', '-f', 'b.js'], `add(eval(location.hash${'('.repeat(3000)}`)
    expect(deep).toMatchObject({
      status: 1,
      stdout: expect.stringContaining('Not evaluated: code-injection (too_deep)'),
    })
    const shown = JSON.parse((await svc(root, ['check-inline', '--context', 'src/new.js'])).stdout)
    expect(shown).toMatchObject({ filename: 'src/new.js', language: 'javascript' })
    expect(shown.rules.map(({ id }: { id: string }) => id)).toContain('code-injection')
    expect(shown.frameworks.map(({ id }: { id: string }) => id)).toContain('owasp-top-10-2021')
  })

  test('pack-changelog tells what changed since the last scan, rule by rule', async () => {
    const root = repository({ 'a.py': 'print(1)\n' })
    execFileSync('git', ['add', '-A'], { cwd: root })
    await svc(root, ['import-pack', '-', '--enable'], await pack(['alpha', 'bravo']))
    await svc(root, ['scan'])
    expect((await svc(root, ['pack-changelog'])).stdout).toContain('Nothing has changed')
    await svc(
      root,
      ['import-pack', '-', '--overwrite'],
      (await pack(['alpha', 'charlie'], '1.1.0')).replace('severity: medium', 'severity: high'),
    )
    const { packs, rules } = JSON.parse((await svc(root, ['pack-changelog', '--json'])).stdout)
    expect(packs).toEqual([{ pack_id: 'acme', change: 'version', before: '1.0.0', after: '1.1.0' }])
    expect(rules).toMatchObject([
      { rule_id: 'acme-alpha', change: 'changed', severity: { before: 'medium', after: 'high' } },
      { rule_id: 'acme-bravo', change: 'removed' },
      { rule_id: 'acme-charlie', change: 'added' },
    ])
  })

  test('suggest-packs names packs with the place that speaks for each', async () => {
    const root = repository({
      'package.json': '{\n  "dependencies": {\n    "express": "5.0.0",\n    "openai": "6.0.0"\n  }\n}\n',
      'README.md': '# Shop\n\nWe are audited for SOC 2.\n',
      'test/fixtures/README.md': 'HIPAA\n',
    })
    const { suggestions } = JSON.parse((await svc(root, ['suggest-packs', '--json'])).stdout) as {
      suggestions: { id: string; evidence: { file: string; line?: number; what: string }[] }[]
    }
    const of = (prefix: string) => suggestions.find(({ id }) => id.startsWith(prefix))?.evidence
    expect(of('soc2')).toEqual([{ file: 'README.md', line: 3, what: 'says “SOC 2”' }])
    expect(of('owasp-api')).toContainEqual({ file: 'package.json', line: 3, what: 'requires express' })
    expect(of('owasp-llm')).toContainEqual({ file: 'package.json', line: 4, what: 'requires openai' })
    expect(of('hipaa')).toBeUndefined()
  })

  test('import-spec makes a pack whose rules a scan uses, and refuses to write over it unasked', async () => {
    const spec =
      'openapi: 3.1.0\ninfo: { title: Shop, version: "1" }\npaths:\n  /a:\n    get: { responses: { "200": { description: x } } }\n'
    const root = repository({ 'api.yaml': spec })
    expect((await svc(root, ['import-spec', 'api.yaml', '--enable'])).stdout).toContain('api.yaml:5:5  auth')
    expect(await svc(root, ['import-spec', 'api.yaml'])).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('--overwrite'),
    })
    expect((await svc(root, ['import-spec', 'api.yaml', '--overwrite', '-f', 'openapi'])).status).toBe(0)
    await svc(root, ['scan'])
    const findings = JSON.parse(readFileSync(join(root, 'out/findings.json'), 'utf8')) as {
      rule_id: string
      line: number
    }[]
    expect(findings).toContainEqual(expect.objectContaining({ rule_id: 'shop-auth', file: 'api.yaml', line: 5 }))
  })
})

describe('over REST', () => {
  async function server(root: string) {
    const env = { GUARD_RATE_LIMIT_ENABLED: 'false' }
    const app = createApi({
      rows: OPERATIONS,
      schemas: loadSchemas,
      cwd: root,
      env,
      notice: () => {},
      host: '127.0.0.1',
    })
    await app.listen({ host: '127.0.0.1', port: 0 })
    onTestFinished(() => app.close())
    const base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
    return async (method: string, path: string, body?: unknown, type = 'application/json') => {
      const headers = { 'content-type': type }
      const answer = await fetch(`${base}${path}`, {
        method,
        ...(body !== undefined && { headers, body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      const json = /json/.test(answer.headers.get('content-type') ?? '')
      return { status: answer.status, type: answer.headers.get('content-type'), body: json ? JSON.parse(text) : text }
    }
  }

  test('what is exported can be posted as it is, and no other address takes YAML', async () => {
    const ask = await server(repository())
    const yaml = await pack(['alpha'])
    const post = (path: string, body = yaml) => ask('POST', path, body, 'application/yaml')
    expect(await post('/api/packs/import?enable=true')).toMatchObject({ status: 200, body: { id: 'acme' } })
    const { body } = await ask('GET', '/api/packs/acme/export')
    expect((await post('/api/packs/import?overwrite=true', body)).status).toBe(200)
    expect((await post('/api/packs/import?overwrite=true', 'id: [')).body).toMatchObject({ code: 'PACK_INVALID' })
    expect(await post('/api/packs')).toMatchObject({ status: 415, body: { code: 'MEDIA_TYPE' } })
  })

  test('a pack is imported, exported, overridden, created and deleted', async () => {
    const root = repository()
    const ask = await server(root)
    expect((await ask('POST', '/api/packs/import', { yaml: await pack(['alpha']), enable: true })).body).toMatchObject({
      id: 'acme',
    })
    expect(await ask('GET', '/api/packs/acme/export')).toMatchObject({ status: 200, body: await pack(['alpha']) })
    expect((await ask('POST', '/api/packs/import', { yaml: await pack(['alpha']) })).status).toBe(409)
    expect((await ask('POST', '/api/packs/import', { file: '/etc/passwd' })).status).toBe(422)

    const override = { overrides: { 'acme-alpha': { severity: 'critical' } } }
    expect((await ask('POST', '/api/packs/acme/overrides', override)).body).toMatchObject(override)
    const check = { code: 'the alpha', filename: 'a.txt' }
    expect((await ask('POST', '/api/sdk/check', check)).body.findings).toMatchObject([{ severity: 'critical' }])
    await ask('POST', '/api/packs/acme/overrides', { overrides: { 'acme-alpha': { enabled: false } } })
    expect((await ask('POST', '/api/sdk/check', check)).body).toMatchObject({ compliant: true, findings: [] })
    expect((await ask('POST', '/api/packs/acme/overrides', { overrides: { 'acme-alhpa': {} } })).status).toBe(404)
    await ask('POST', '/api/packs/acme/overrides', { overrides: { 'acme-alpha': null } })

    const made = {
      id: 'house',
      name: 'House',
      description: 'Ours.',
      rules: [wordRuleData('bravo', { id: 'house-bravo' })],
    }
    expect((await ask('POST', '/api/packs', made)).status).toBe(200)
    expect((await ask('GET', '/api/packs')).body.packs.filter(({ own }: { own: boolean }) => own)).toHaveLength(2)
    expect((await ask('DELETE', '/api/packs/acme')).body).toEqual({ id: 'acme', deleted: true })
    expect(existsSync(join(root, '.svc/packs/acme'))).toBe(false)
    expect((await ask('DELETE', '/api/packs/secrets')).status).toBe(409)
    expect((await ask('DELETE', '/api/packs/..%2f..')).status).toBe(404)
  })

  test('the SDK tells what applies to a path, and narrows to a framework', async () => {
    const ask = await server(repository({ 'a.py': '' }))
    const all = (await ask('GET', '/api/sdk/rules?filename=src/a.py')).body
    const one = (await ask('GET', '/api/sdk/rules?filename=src/a.py&frameworks=owasp-top-10-2021')).body
    expect(one.total).toBeGreaterThan(0)
    expect(one.total).toBeLessThanOrEqual(all.total)
    expect(
      one.rules.every(({ controls }: { controls: { framework: string }[] }) =>
        controls.some(({ framework }) => framework === 'owasp-top-10-2021'),
      ),
    ).toBe(true)
    expect((await ask('GET', '/api/sdk/context?filename=src/a.py')).body).toMatchObject({
      filename: 'src/a.py',
      language: 'python',
    })
    expect((await ask('GET', '/api/sdk/rules?filename=a.py&frameworks=owasp-top-10-2020')).body.detail).toContain(
      'did you mean owasp-top-10-20',
    )
    expect((await ask('GET', '/api/sdk/context?filename=../a.py')).status).toBe(400)
    const bad = (
      await ask('POST', '/api/sdk/check', {
        code: 'yaml.load(data, Loader=yaml.Loader)\n',
        filename: 'a.py',
        frameworks: ['owasp-top-10-2021'],
      })
    ).body
    expect(bad).toMatchObject({ compliant: false, confidence: 1 })
    expect(bad.suggestions[0]).toMatchObject({ rule_id: bad.findings[0].rule_id, line: 1 })
  })
})

test('over MCP, an agent asks what applies, gets packs suggested and switches one on', async () => {
  const root = repository({ 'go.mod': 'module a\n', 'a.go': 'package a\n' })
  const transport = new StdioClientTransport({ command: process.execPath, args: [SVC, 'mcp-server'], cwd: root })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })) as {
      isError?: boolean
      structuredContent: Record<string, unknown>
    }
  expect((await call('get_compliance_context', { filename: 'b.go' })).structuredContent).toMatchObject({
    language: 'go',
  })
  const { suggestions } = (await call('suggest_packs', {})).structuredContent as { suggestions: { id: string }[] }
  expect(suggestions.map(({ id }) => id)).toContain('go')
  expect((await call('manage_pack', { action: 'enable', pack_id: 'soc2-tsc-2017' })).structuredContent).toMatchObject({
    enabled: true,
  })
  expect(readFileSync(join(root, '.svc/config.yaml'), 'utf8')).toContain('- soc2-tsc-2017')
  expect((await call('manage_pack', { action: 'enable', pack_id: 'no-such-pack' })).isError).toBe(true)
})
