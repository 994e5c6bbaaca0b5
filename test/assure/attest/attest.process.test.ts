import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleFromJSON } from '@sigstore/bundle'
import { toSignedEntity, Verifier } from '@sigstore/verify'
import { describe, expect, it } from 'vitest'
import { digestFindings } from '../../../engine/assure/attest/document.ts'
import {
  createKeys,
  exportPublicPem,
  readPublicKeys,
  readSigningKey,
  rotateKeys,
} from '../../../engine/assure/attest/keys.ts'
import { decideVerifyExit } from '../../../engine/assure/attest/verify.ts'
import { verifyPath } from '../../../engine/assure/attest/verify-path.ts'
import { toPublic } from '../../../engine/assure/notary/checkpoint.ts'
import { checkSbom } from '../../../engine/supply/sbom/check.ts'
import { refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'
import { attestedProject } from './made.ts'

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))
const payloadOf = (path: string) => JSON.parse(Buffer.from(read(path).payload, 'base64').toString('utf8'))

describe('an attestation', () => {
  it('says what was scanned, with what, and what came of it', async () => {
    const made = await attestedProject()
    const { attestation } = await made.attest()
    expect(attestation).toMatchObject({
      ...{
        project: 'project',
        run_id: made.run.id,
        git_sha: made.run.git_sha,
        tree_state: 'clean',
        tool_version: '0.1.0',
      },
      findings_digest: digestFindings(made.findings),
      packs_enabled: [{ id: 'python-security', version: '1.0.0' }],
      severity_counts: { critical: 0, high: 1, medium: 0, low: 0, info: 0 },
      finding_counts: { total: 3, open: 1, baseline: 1, suppressed: 1 },
      gate_status: 'failed',
      population: { files: 2, skipped: 1, not_evaluated: made.run.not_evaluated.length },
    })
    expect(attestation.git_tree).toBe(
      execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd: made.root }).toString().trim(),
    )
  })

  it('calls a gate that was not asked not run, and a tree that has other content no subject', async () => {
    const made = await attestedProject({ gate: undefined })
    writeFileSync(join(made.root, 'new.py'), 'x = 1\n')
    const { attestation } = await made.attest()
    expect(attestation).toMatchObject({ gate_status: 'not_run', tree_state: 'modified' })
    expect(
      payloadOf(join(made.out, 'attestation.intoto.json')).subject.map(({ name }: { name: string }) => name),
    ).toEqual(['findings'])
    expect((await refusal(() => made.attest({ slsa: true }))).message).toContain('No gate ran')
  })

  it('says unknown where the work tree has another commit', async () => {
    const made = await attestedProject({ git_sha: '0'.repeat(40) })
    expect((await made.attest()).attestation).toMatchObject({ tree_state: 'unknown', git_tree: null })
  })

  it('has a digest that the shell computes from findings.json', async () => {
    const made = await attestedProject()
    const { attestation } = await made.attest()
    const lines = read(join(made.out, 'findings.json')).map((each: Record<string, string>) =>
      [each.fingerprint, each.status, each.severity, each.rule_id].join('\t'),
    )
    const sum = execFileSync('bash', ['-c', 'LC_ALL=C sort | sha256sum'], { input: `${lines.join('\n')}\n` })
    expect(sum.toString().split(' ')[0]).toBe(attestation.findings_digest)
  })

  it('is byte for byte the same at the same time', async () => {
    const made = await attestedProject()
    const text = async () => {
      await made.attest({}, { SOURCE_DATE_EPOCH: '1735689600' })
      return ['', '.intoto', '.sigstore'].map(part => readFileSync(join(made.out, `attestation${part}.json`), 'utf8'))
    }
    expect(await text()).toEqual(await text())
  })
})

describe('the keys', () => {
  it('are private, are not made to verify, and are made once', async () => {
    const made = await attestedProject()
    await made.attest()
    expect(statSync(join(made.root, '.svc/local/attestation_key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(made.env.XDG_STATE_HOME!, 'svc/attestation/ed25519.pem')).mode & 0o777).toBe(0o600)
    expect(execFileSync('git', ['status', '--porcelain'], { cwd: made.root }).toString()).toBe('')
    const other = folder({ 'attestation.json': readFileSync(join(made.out, 'attestation.json')) })
    const {
      verified: [judged],
    } = await verifyPath('attestation.json', {
      root: other,
      cwd: other,
      env: { XDG_STATE_HOME: join(other, 's') },
    })
    expect(judged).toMatchObject({ word: 'no key here' })
    expect(decideVerifyExit([judged!])).toBe(2)
    expect(existsSync(join(other, 's'))).toBe(false)
    expect(existsSync(join(other, '.svc'))).toBe(false)
    expect((await refusal(() => createKeys(made.root, made.env))).code).toBe('CONFLICT')
  })

  it('can be rotated: what was signed before stays verifiable, and new signatures are by the new keys', async () => {
    const made = await attestedProject()
    await made.attest()
    mkdirSync(join(made.root, 'kept'))
    for (const part of ['', '.intoto'])
      renameSync(join(made.out, `attestation${part}.json`), join(made.root, `kept/a${part}.json`))
    const before = readSigningKey(made.env)!
    const { retired } = await rotateKeys(made.root, made.env)
    expect(retired).toHaveLength(2)
    expect(exportPublicPem(readSigningKey(made.env)!)).not.toBe(exportPublicPem(before))
    const { verified: judged } = await verifyPath('kept', { root: made.root, cwd: made.root, env: made.env })
    expect(judged.map(({ word }) => word)).toEqual(['self-signed', 'self-signed'])
    await made.attest()
    const { verified: now } = await verifyPath('out/attestation.intoto.json', {
      root: made.root,
      cwd: made.root,
      env: made.env,
    })
    expect(now[0]!.reason).toContain([...readPublicKeys(made.env).keys()][0]!.slice(0, 16))
  })
})

describe('other verifiers', () => {
  it('openssl verifies the in-toto statement with the public key', async () => {
    const made = await attestedProject()
    await made.attest({ slsa: true })
    for (const name of ['attestation.intoto.json', 'attestation.vsa.intoto.json']) {
      const { payload, payloadType, signatures } = read(join(made.out, name))
      const bytes = Buffer.from(payload, 'base64')
      const at = folder({
        'key.pem': exportPublicPem(readSigningKey(made.env)!),
        sig: Buffer.from(signatures[0].sig, 'base64'),
        signed: Buffer.concat([Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${bytes.length} `), bytes]),
      })
      const args = ['pkeyutl', '-verify', '-pubin', '-inkey', 'key.pem', '-rawin', '-in', 'signed', '-sigfile', 'sig']
      expect(execFileSync('openssl', args, { cwd: at }).toString()).toContain('Verified Successfully')
    }
  })

  it('@sigstore/verify verifies the bundle offline with our key, and refuses a changed payload', async () => {
    const made = await attestedProject()
    await made.attest()
    const text = read(join(made.out, 'attestation.sigstore.json'))
    const key = toPublic(readSigningKey(made.env)!)
    const trust = {
      ...{ certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] },
      publicKey: () => ({ publicKey: key, validFor: () => true }),
    }
    const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 } as never)
    expect(() => verifier.verify(toSignedEntity(bundleFromJSON(text)))).not.toThrow()
    const payload = Buffer.from(text.dsseEnvelope.payload, 'base64').toString('utf8').replace('failed', 'passed')
    const changed = {
      ...text,
      dsseEnvelope: { ...text.dsseEnvelope, payload: Buffer.from(payload).toString('base64') },
    }
    expect(() => verifier.verify(toSignedEntity(bundleFromJSON(changed)))).toThrow()
  })
})

describe('other forms', () => {
  it('a SLSA verification summary has what its specification requires', async () => {
    const made = await attestedProject()
    await made.attest({ slsa: true })
    const statement = payloadOf(join(made.out, 'attestation.vsa.intoto.json'))
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://slsa.dev/verification_summary/v1',
      predicate: {
        verifier: { id: expect.stringMatching(/^urn:/) },
        timeVerified: made.run.finished_at,
        resourceUri: expect.stringContaining(made.run.git_sha!),
        policy: { uri: expect.any(String), digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) } },
        verificationResult: 'FAILED',
        verifiedLevels: ['FAILED'],
      },
    })
  })

  it('CycloneDX attestations are valid by the schema, and claim nothing of what was not judged', async () => {
    const made = await attestedProject()
    await made.attest({ cyclonedx: true })
    const text = readFileSync(join(made.out, 'attestation.cdx.json'), 'utf8')
    const { faults } = await checkSbom(text)
    expect(faults.filter(({ kind }) => kind === 'schema')).toEqual([])
    const { declarations } = JSON.parse(text)
    const scores = Object.fromEntries(
      declarations.attestations[0].map.map((each: { requirement: string; conformance: { score?: number } }) => [
        each.requirement,
        each.conformance.score,
      ]),
    )
    expect(scores).toEqual({
      'made:A1': 1,
      'made:A2': undefined,
      'made:B1': 0,
      'made:C1': undefined,
      'made:D1': undefined,
    })
    expect(declarations.claims).toHaveLength(2)
  })
})

it('a directory without an attestation, and a path that is not there, are not found', async () => {
  const at = folder({ 'a.json': '{}' })
  const place = { root: at, cwd: at, env: { XDG_STATE_HOME: at } }
  expect((await refusal(() => verifyPath('.', place))).code).toBe('NOT_FOUND')
  expect((await refusal(() => verifyPath('none.json', place))).code).toBe('NOT_FOUND')
  rmSync(join(at, 'a.json'))
})
