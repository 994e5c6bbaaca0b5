import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { maskSecrets } from '../../../engine/assure/bundle/mask.ts'
import { runHere } from '../../made/command-line.ts'
import { folder, write } from '../../made/folder.ts'
import { attestedProject } from '../attest/made.ts'

const textOf = (files: Record<string, Uint8Array>, name: string) => Buffer.from(files[name]!).toString('utf8')

async function exported(more: Record<string, string> = {}) {
  const made = await attestedProject()
  const env = { ...made.env, PATH: process.env.PATH!, HOME: made.env.XDG_STATE_HOME!, ...more }
  const svc = (...args: string[]) => runHere(args, { cwd: made.root, env })
  const file = join(folder(), 'audit.zip')
  return { made, svc, file, env, export: (at = file) => svc('export-audit', '-o', at) }
}

describe('an audit bundle', () => {
  it('holds the run, its findings, reports, frameworks, attestations and settings, and says what it does not hold', async () => {
    const { export: run, file } = await exported()
    const { code, out } = await run()
    expect([code, out]).toEqual([0, expect.stringContaining('Not included: sbom.json')])
    const files = unzipSync(readFileSync(file))
    expect(Object.keys(files)).toEqual([...Object.keys(files)].sort())
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        ...['MANIFEST.sha256', 'MANIFEST.sig', 'README.md', 'config/settings.json', 'frameworks/made.json'],
        ...['attestations/attestation.json', 'attestations/attestation.intoto.json', 'reports/report.html'],
        ...['run/findings.jsonl', 'run/findings.parquet', 'run/files.parquet', 'run/run.json'],
      ]),
    )
    expect(textOf(files, 'run/findings.jsonl').trim().split('\n')).toHaveLength(3)
    expect(textOf(files, 'README.md')).toContain('Audit log and activity of agents: the repository keeps no records')
  })

  it('is byte for byte the same again, in another time zone and after the audit log has grown', async () => {
    const { svc, export: run, made } = await exported()
    await svc('agent-register', 'reviewer')
    const [one, other] = [join(folder(), '1.zip'), join(folder(), '2.zip')]
    expect((await run(one)).code).toBe(0)
    await svc('agent-register', 'builder')
    const zone = process.env.TZ
    process.env.TZ = 'Asia/Tokyo'
    expect((await run(other)).code).toBe(0)
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true)
    const files = unzipSync(readFileSync(one))
    const at = folder({
      'audit.jsonl': Buffer.from(files['audit/audit.jsonl']!),
      'anchor.txt': Buffer.from(files['audit/anchor.txt']!),
    })
    const verified = await svc('audit', 'verify', join(at, 'audit.jsonl'), '--anchor', join(at, 'anchor.txt'))
    expect(verified.out).toContain('Intact')
    expect(made.run.id).toBe(JSON.parse(textOf(files, 'run/run.json')).id)
  })

  it('is verified without svc, by what its README says', async () => {
    const { export: run, file, svc } = await exported()
    await run()
    const at = folder()
    for (const [name, bytes] of Object.entries(unzipSync(readFileSync(file)))) write(at, { [name]: Buffer.from(bytes) })
    await svc('attest', 'key', 'public', '-o', join(at, 'svc.pub.pem'))
    expect(execFileSync('sha256sum', ['--check', '--quiet', 'MANIFEST.sha256'], { cwd: at }).toString()).toBe('')
    const readme = readFileSync(join(at, 'README.md'), 'utf8')
    const [, script] = /```sh\n([\s\S]+?)\n```/.exec(readme)!
    expect(execFileSync('bash', ['-e', '-c', script!], { cwd: at }).toString()).toContain('Verified Successfully')
    expect(readme).toContain(readFileSync(join(at, 'svc.pub.pem'), 'utf8').trim())
  })

  it('is verified by svc with the key alone, and where there is none says so', async () => {
    const { export: run, file, svc } = await exported()
    await run()
    const own = await svc('export-audit', '--verify', file)
    expect([own.code, own.out]).toEqual([0, expect.stringContaining('self-signed')])
    const key = join(folder(), 'svc.pub.pem')
    await svc('attest', 'key', 'public', '-o', key)
    const elsewhere = { cwd: folder(), env: { PATH: process.env.PATH!, HOME: folder(), XDG_STATE_HOME: folder() } }
    expect((await runHere(['export-audit', '--verify', file], elsewhere)).code).toBe(2)
    expect((await runHere(['export-audit', '--verify', file, '--key', key], elsewhere)).out).toContain('self-signed')
    expect((await runHere(['attest', '--verify', file, '--key', key], elsewhere)).code).toBe(0)
  })

  it('carries the attestation of the run that is there, and none that belongs to another', async () => {
    const { export: run, file, svc, made } = await exported()
    await svc('attest', '--slsa')
    const stale = readFileSync(join(made.out, 'attestation.vsa.intoto.json'))
    await svc('attest')
    writeFileSync(join(made.out, 'attestation.vsa.intoto.json'), stale)
    await run()
    const files = unzipSync(readFileSync(file))
    expect(textOf(files, 'attestations/attestation.json')).toBe(
      readFileSync(join(made.out, 'attestation.json'), 'utf8'),
    )
    expect(files['attestations/attestation.vsa.intoto.json']).toBeUndefined()
    expect((await svc('export-audit', '--verify', file)).code).toBe(0)
  })

  it('shows settings and decisions without credentials', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const {
      export: run,
      file,
      made,
    } = await exported({
      GUARD_GRC_WEBHOOK_URL: `https://kim:${['sesame', 'open'].join('-')}@grc.example/hook?token=${['abc', 'def123'].join('')}`,
    })
    write(made.root, {
      '.svc/suppressions.yaml': `suppressions:\n  - rule: py-eval\n    reason: the token ${token} is revoked\n`,
    })
    await run()
    const all = Object.values(unzipSync(readFileSync(file))).map(bytes => Buffer.from(bytes).toString('latin1'))
    for (const secret of [token, 'sesame-open', 'abcdef123'])
      expect(all.filter(text => text.includes(secret))).toEqual([])
    expect(textOf(unzipSync(readFileSync(file)), 'config/settings.json')).toContain('grc.example')
  })
})

const PHRASE = ['hunter', '2'].join('')

it('masks what is a credential by its key, its form or its address, and nothing else', () => {
  expect(
    maskSecrets({
      ...{ api_key: 'x', token_env: 'GITHUB_TOKEN', nested: [{ password: PHRASE }] },
      ...{ url: 'https://a:b@example.org/x?sig=1', hook: 'https://hooks.example.org/T1/B2/x3', name: 'token bucket' },
    }),
  ).toEqual({
    ...{ api_key: '***', token_env: 'GITHUB_TOKEN', nested: [{ password: '***' }] },
    ...{ url: 'https://example.org/x?sig=REDACTED', hook: 'https://hooks.example.org/***', name: 'token bucket' },
  })
})
