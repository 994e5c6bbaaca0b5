import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { exportPublicPem, readSigningKey } from '../../../engine/assure/attest/keys.ts'
import { refusal } from '../../made/call.ts'
import { runHere } from '../../made/command-line.ts'
import { folder } from '../../made/folder.ts'
import { startNotary } from '../notary/hostile.ts'
import { attestedProject } from './made.ts'

/** An attested project whose release is verified elsewhere, with the public key alone. */
async function released(request: Parameters<Awaited<ReturnType<typeof attestedProject>>['attest']>[0] = {}) {
  const made = await attestedProject()
  await made.attest(request)
  const names = ['attestation.json', 'attestation.intoto.json', 'attestation.sigstore.json']
  const read = (name: string) => readFileSync(join(made.out, name), 'utf8')
  const files = Object.fromEntries(names.map(name => [`release/${name}`, read(name)]))
  const at = folder({ ...files, 'svc.pub.pem': exportPublicPem(readSigningKey(made.env)!) })
  const own = (...args: string[]) =>
    runHere(['attest', '--verify', ...args], { cwd: at, env: { PATH: process.env.PATH!, HOME: at, ...made.env } })
  const stranger = (...args: string[]) =>
    runHere(['attest', '--verify', ...args], { cwd: at, env: { PATH: process.env.PATH!, HOME: at } })
  return { made, at, own, stranger, release: join(at, 'release') }
}

describe('in a directory', () => {
  it.each([
    ['lost its type and signature', (text: string) => text.replace('svc-attestation', 'note').replace('hmac-', '')],
    ['is cut off', (text: string) => text.slice(0, -20)],
    ['is empty', () => ''],
  ])('an attestation that %s is altered', async (_, change) => {
    const { release, stranger } = await released()
    const file = join(release, 'attestation.json')
    writeFileSync(file, change(readFileSync(file, 'utf8')))
    const { code, out } = await stranger('release', '--key', 'svc.pub.pem')
    expect([code, out]).toEqual([1, expect.stringContaining('ALTERED: release/attestation.json')])
  })

  it('an attestation or statement that is too large, a directory or a pipe is altered', async () => {
    const { release, stranger } = await released()
    truncateSync(join(release, 'attestation.intoto.json'), 65 << 20)
    rmSync(join(release, 'attestation.sigstore.json'))
    mkdirSync(join(release, 'attestation.sigstore.json'))
    rmSync(join(release, 'attestation.json'))
    execFileSync('mkfifo', [join(release, 'Attestation.JSON')])
    const { code, out } = await stranger('release', '--key', 'svc.pub.pem')
    expect(code).toBe(1)
    expect(out.match(/^ALTERED/gm)).toHaveLength(3)
  })

  it('an attestation by another name is known by the statement beside it', async () => {
    const { release, stranger } = await released()
    for (const part of ['', '.intoto', '.sigstore'])
      renameSync(join(release, `attestation${part}.json`), join(release, `scan${part}.json`))
    writeFileSync(join(release, 'scan.json'), '{}')
    const { code, out } = await stranger('release', '--key', 'svc.pub.pem')
    expect([code, out]).toEqual([1, expect.stringContaining('ALTERED: release/scan.json')])
  })

  it('statements alone vouch for no attestation: exit 2', async () => {
    const { release, stranger } = await released()
    rmSync(join(release, 'attestation.json'))
    const { code, out } = await stranger('release', '--key', 'svc.pub.pem')
    expect([code, out]).toEqual([2, expect.stringContaining('no attestation is beside it')])
    expect((await stranger('release/attestation.intoto.json', '--key', 'svc.pub.pem')).code).toBe(0)
  })

  it('other files are listed as skipped', async () => {
    const { made, own } = await released()
    writeFileSync(join(made.out, 'notes.json'), '{"a":1}')
    const { out, code } = await runHere(['attest', '--verify', 'out', '--json'], {
      ...{ cwd: made.root, env: { PATH: process.env.PATH!, HOME: made.root, ...made.env } },
    })
    expect(code).toBe(0)
    expect(JSON.parse(out).skipped).toContainEqual({ file: 'out/notes.json', reason: 'it is no attestation' })
    expect((await own('release')).code).toBe(2)
  })
})

describe('a countersignature', () => {
  async function notarized() {
    const notary = await startNotary()
    const config = { gate: {}, notary: { url: notary.url, key: notary.key } }
    return { notary, ...(await released({ notarize: true, config: config as never })) }
  }

  it('does not outweigh an own key that nobody here knows', async () => {
    const { notary, release, stranger } = await notarized()
    const { code, out } = await stranger('release/attestation.json', '--notary-key', notary.key)
    expect([code, out]).toEqual([2, expect.stringMatching(/^no key here: .*notarized by notary\.test\/log/)])
    const all = await stranger('release', '--notary-key', notary.key)
    expect([all.code, all.out]).toEqual([2, expect.not.stringMatching(/^notarized/m)])
    expect(existsSync(release)).toBe(true)
  })

  it('counts with a statement of a known key about the same attestation, and with no other', async () => {
    const { notary, release, stranger } = await notarized()
    const keys = ['--notary-key', notary.key, '--key', 'svc.pub.pem']
    const whole = await stranger('release', ...keys)
    expect([whole.code, whole.out]).toEqual([0, expect.stringContaining('notarized: release/attestation.json')])
    expect((await stranger('release/attestation.json', ...keys)).code).toBe(0)
    const other = await attestedProject()
    await other.attest()
    for (const part of ['intoto', 'sigstore'])
      writeFileSync(
        join(release, `attestation.${part}.json`),
        readFileSync(join(other.out, `attestation.${part}.json`)),
      )
    writeFileSync(join(release, '../other.pem'), exportPublicPem(readSigningKey(other.env)!))
    const replayed = ['--notary-key', notary.key, '--key', 'other.pem']
    expect((await stranger('release/attestation.json', ...replayed)).code).toBe(2)
    expect((await stranger('release', ...replayed)).code).toBe(1)
  })

  it('is not verified with a key that the repository brings', async () => {
    const { notary, at, stranger } = await notarized()
    mkdirSync(join(at, '.svc'))
    writeFileSync(join(at, '.svc/config.yaml'), `notary:\n  url: ${notary.url}\n  key: ${notary.key}\n`)
    const { code, out } = await stranger('release/attestation.json', '--key', 'svc.pub.pem')
    expect([code, out]).toEqual([2, expect.stringContaining('--notary-key')])
  })
})

describe('a secret in .svc/local', () => {
  it('that svc did not make for this user is none: what it signed is by no key here, and it is said', async () => {
    const made = await attestedProject()
    await made.attest()
    const env = { PATH: process.env.PATH!, HOME: folder() }
    const { code, out, err } = await runHere(['attest', '--verify', 'out/attestation.json'], { cwd: made.root, env })
    expect([code, out]).toEqual([2, expect.stringContaining('no key here')])
    expect(err).toContain('attestation_key')
  })

  it('that is committed is none, even where it is the own one, and signs nothing', async () => {
    const made = await attestedProject()
    await made.attest()
    const env = { PATH: process.env.PATH!, HOME: made.root, ...made.env }
    const verify = () => runHere(['attest', '--verify', 'out/attestation.json'], { cwd: made.root, env })
    expect((await verify()).code).toBe(0)
    execFileSync('git', ['add', '--force', '.svc/local/attestation_key'], { cwd: made.root })
    const committed = await verify()
    expect([committed.code, committed.err]).toEqual([2, expect.stringContaining('is in git')])
    expect((await refusal(() => made.attest())).code).toBe('CONFLICT')
    execFileSync('git', ['rm', '--force', '--quiet', '.svc/local/attestation_key'], { cwd: made.root })
    await made.attest()
    expect((await verify()).code).toBe(0)
  })

  it('that svc did not make signs nothing: another is made', async () => {
    const made = await attestedProject()
    mkdirSync(join(made.root, '.svc/local'), { recursive: true })
    const brought = `${'ab'.repeat(32)}\n`
    writeFileSync(join(made.root, '.svc/local/attestation_key'), brought)
    await made.attest()
    expect(readFileSync(join(made.root, '.svc/local/attestation_key'), 'utf8')).not.toBe(brought)
    const env = { PATH: process.env.PATH!, HOME: made.root, ...made.env }
    expect((await runHere(['attest', '--verify', 'out/attestation.json'], { cwd: made.root, env })).code).toBe(0)
  })
})
