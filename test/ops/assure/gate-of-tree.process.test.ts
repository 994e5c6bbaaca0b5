import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import canonicalize from 'canonicalize'
import { expect, it } from 'vitest'
import { loadConfig } from '../../../engine/sources/config/load.ts'
import { runHere } from '../../made/command-line.ts'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'

function place() {
  const root = project({
    'src/a.py': 'eval(input())\n',
    '.gitignore': 'out/\n.svc/local/\n',
    '.svc/config.yaml': 'packs: { enable: [owasp-top-10-2021] }\n',
  })
  const env = { PATH: process.env.PATH!, HOME: folder(), XDG_STATE_HOME: folder() }
  return { root, env, svc: (...args: string[]) => runHere(args, { cwd: root, env }) }
}

const payloadOf = (path: string) =>
  JSON.parse(Buffer.from(JSON.parse(readFileSync(path, 'utf8')).payload, 'base64').toString('utf8'))

it('the gate of an earlier run of the same tree counts, and the documents name that run', async () => {
  const { root, svc } = place()
  const gate = JSON.parse((await svc('gate', '--json')).out)
  const scan = JSON.parse((await svc('scan', '--json')).out)
  expect(scan.run_id).not.toBe(gate.run_id)
  const { out } = await svc('attest', '--json')
  expect(JSON.parse(out).attestation).toMatchObject({
    run_id: scan.run_id,
    gate_status: 'failed',
    gate_run_id: gate.run_id,
  })
  const summary = JSON.parse((await svc('risk-summary', '--json')).out)
  expect(summary).toMatchObject({ gate: 'failed', gate_run_id: gate.run_id })
  const dashboard = JSON.parse((await svc('org-dashboard', '--root', root, '--json')).out)
  expect(dashboard.projects[0]).toMatchObject({ run_id: scan.run_id, gate: false, gate_run_id: gate.run_id })
  // Another tree of the same commit has no gate.
  writeFileSync(join(root, 'src/b.py'), 'eval(input())\nx = 1\n')
  await svc('scan')
  expect(JSON.parse((await svc('attest', '--json')).out).attestation).toMatchObject({ gate_status: 'not_run' })
  expect(JSON.parse((await svc('risk-summary', '--json')).out)).toMatchObject({ gate: 'not run' })
})

it('a verification summary has the policy of the run, whatever the configuration says by now', async () => {
  const { root, env, svc } = place()
  const { gate } = await loadConfig(root, { env })
  const then = createHash('sha256').update(canonicalize(gate)!).digest('hex')
  await svc('gate')
  writeFileSync(
    join(root, '.svc/config.yaml'),
    'packs: { enable: [owasp-top-10-2021] }\ngate: { fail_on: [critical] }\n',
  )
  expect((await svc('attest', '--slsa')).code).toBe(0)
  expect(payloadOf(join(root, 'out/attestation.vsa.intoto.json')).predicate.policy.digest.sha256).toBe(then)
})

it('a summary of a gate that did not record its settings is refused, and so is an attestation of what there is not', async () => {
  const { root, svc } = place()
  const { run_id } = JSON.parse((await svc('gate', '--json')).out)
  const file = join(root, 'out/history', run_id, 'run.json')
  const run = JSON.parse(readFileSync(file, 'utf8'))
  delete run.gate.policy_sha256
  writeFileSync(file, JSON.stringify(run))
  const { code, err } = await svc('attest', '--slsa')
  expect([code, err]).toEqual([64, expect.stringContaining('does not record the settings of its gate')])
  expect((await svc('attest')).code).toBe(0)
  expect((await svc('attest', 'bogus')).code).toBe(64)
  expect((await svc('attest', '--run-id', 'bogus')).code).toBe(66)
})

it('a file that is no attestation is named as what it is, and an altered one is not', async () => {
  const { root, svc } = place()
  const { code, err } = await svc('attest', '--verify', 'src/a.py')
  expect([code, err]).toEqual([64, expect.stringContaining('a text file')])
  writeFileSync(join(root, 'attestation.json'), '{}')
  expect(await svc('attest', '--verify', 'attestation.json')).toMatchObject({
    code: 1,
    out: expect.stringContaining('ALTERED'),
  })
})

it('what a retired key has signed says so', async () => {
  const { svc } = place()
  await svc('scan')
  await svc('attest')
  await svc('attest', 'key', 'rotate')
  for (const name of ['attestation.json', 'attestation.intoto.json']) {
    const { code, out } = await svc('attest', '--verify', `out/${name}`)
    expect([code, out]).toEqual([0, expect.stringContaining('retired key')])
  }
})

it('a wrong license file is an error, and none is not', async () => {
  const { root, svc } = place()
  expect((await svc('license')).code).toBe(0)
  writeFileSync(join(root, '.svc/license.json'), '{"license":{}}')
  expect(await svc('license')).toMatchObject({ code: 64, out: expect.stringContaining('invalid') })
})

it('ten wrong inputs of an agent queue no approval, and a right one queues one', async () => {
  const { root, env } = place()
  writeFileSync(
    join(root, '.svc/config.yaml'),
    'governance:\n  agent_defaults: { queue_action: block, default_trust_level: admin }\n',
  )
  const agent = (...args: string[]) => runHere(args, { cwd: root, env: { ...env, CLAUDECODE: '1' } })
  const add = ['evidence', 'add', 'soc2-tsc-2017:CC7.5', '--title', 'T', '--owner', 'Kim']
  const wrong = [
    ['evidence', 'add', 'nope:1', '--title', 'T', '--owner', 'Kim', '--file', 'src/a.py'],
    [...add, '--file', 'none.pdf'],
    [...add, '--file', 'src/a.py', '--expires', 'soon'],
    add,
    ['suppress', '--rule', 'no-such-rule', '--reason', 'x'],
    ['suppress', '--rule', 'py-eval', '--reason', ' '],
  ]
  for (const args of wrong) expect([64, 66], args.join(' ')).toContain((await agent(...args)).code)
  expect(JSON.parse((await runHere(['approvals', '--json'], { cwd: root, env })).out).approvals).toEqual([])
  expect((await agent(...add, '--file', 'src/a.py')).err).toContain('Approval required')
  expect(JSON.parse((await runHere(['approvals', '--json'], { cwd: root, env })).out).approvals).toHaveLength(1)
})

it('no agent vouches in a repository without governance', async () => {
  const { root, env } = place()
  const args = ['evidence', 'add', 'soc2-tsc-2017:CC7.5', '--title', 'T', '--owner', 'Kim', '--file', 'src/a.py']
  const { code, err } = await runHere(args, { cwd: root, env: { ...env, CLAUDECODE: '1' } })
  expect([code === 0, err]).toEqual([false, expect.stringContaining('requires a user')])
})

it('a format of VEX without a file to write is refused', async () => {
  const { svc } = place()
  expect(await svc('vulns', '--offline', '--vex-format', 'csaf')).toMatchObject({ code: 64 })
})

it('commits cannot be attributed without a repository or without a commit, and the message says so', async () => {
  const env = { PATH: process.env.PATH!, HOME: folder(), XDG_STATE_HOME: folder() }
  expect((await runHere(['ai-attribution'], { cwd: folder(), env })).err).toContain('no Git repository')
  const { svc } = place()
  expect((await svc('ai-attribution', '--git-range', 'nowhere')).err).toContain('no range "nowhere"')
})
