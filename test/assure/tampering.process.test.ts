import type { KeyObject } from 'node:crypto'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzipSync, type Zippable, zipSync } from 'fflate'
import { beforeEach, describe, expect, it } from 'vitest'
import { IN_TOTO, signEnvelope } from '../../engine/assure/attest/envelope.ts'
import { readPublicKeys, readSecrets, readSigningKey } from '../../engine/assure/attest/keys.ts'
import { type KnownKeys, verifyDocument } from '../../engine/assure/attest/verify.ts'
import { verifyBundle } from '../../engine/assure/bundle/verify.ts'
import { parseVerifierKey } from '../../engine/assure/notary/checkpoint.ts'
import { openNotaryLog } from '../../engine/assure/notary/log.ts'
import { runHere } from '../made/command-line.ts'
import { folder } from '../made/folder.ts'
import { type AttestedProject, attestedProject } from './attest/made.ts'
import { startNotary } from './notary/hostile.ts'

// biome-ignore lint/suspicious/noExplicitAny: documents of any form are taken apart here
type Json = Record<string, any>

/** A kind of tampering: what it makes of a sound document, and what is said of it. */
type Kind = readonly [name: string, tamper: (text: string) => string | Promise<string>, word: string, reason: string]

let signing: KeyObject
let keys: KnownKeys
let documents: undefined | { attestation: string; statement: string; bundle: string; notarized: string; zip: Buffer }

const edit = (change: (value: Json) => void) => (text: string) => {
  const value = JSON.parse(text) as Json
  change(value)
  return JSON.stringify(value)
}
const otherKey = generateKeyPairSync('ed25519').privateKey
const payload = (change: (value: Json) => void) =>
  edit(value => {
    const statement = JSON.parse(Buffer.from(value.payload, 'base64').toString('utf8')) as Json
    change(statement)
    value.payload = Buffer.from(JSON.stringify(statement)).toString('base64')
  })

// Once, and in a test: what the folders are for is in memory then.
beforeEach(async () => {
  if (documents !== undefined) return
  const made: AttestedProject = await attestedProject()
  const read = (name: string) => readFileSync(join(made.out, name), 'utf8')
  await made.attest()
  const [attestation, statement, bundle] = [
    read('attestation.json'),
    read('attestation.intoto.json'),
    read('attestation.sigstore.json'),
  ]
  const zip = join(folder(), 'a.zip')
  const env = { ...made.env, PATH: process.env.PATH!, HOME: made.root }
  await runHere(['export-audit', '-o', zip], { cwd: made.root, env })
  const notary = await startNotary()
  const config = { gate: {}, notary: { url: notary.url, key: notary.key } }
  await made.attest({ notarize: true, config: config as never })
  signing = readSigningKey(made.env)!
  documents = { attestation, statement, bundle, notarized: read('attestation.json'), zip: readFileSync(zip) }
  keys = {
    secrets: await readSecrets(made.root, made.env),
    publicKeys: readPublicKeys(made.env),
    notary: parseVerifierKey(notary.key)!,
  }
})

async function judge(text: string, own: KnownKeys = keys): Promise<{ word: string; reason: string }> {
  const judged = await verifyDocument('a.json', text, own)
  return judged ?? { word: 'ALTERED', reason: 'it contains no attestation' }
}

const ATTESTATION: readonly Kind[] = [
  ['a gate that passed', edit(a => (a.gate_status = 'passed')), 'ALTERED', 'its signature is not valid'],
  ['fewer findings', edit(a => (a.severity_counts.high = 0)), 'ALTERED', 'its signature is not valid'],
  ['other findings', edit(a => (a.findings_digest = '0'.repeat(64))), 'ALTERED', 'its signature is not valid'],
  ['another commit', edit(a => (a.git_sha = 'f'.repeat(40))), 'ALTERED', 'its signature is not valid'],
  ['a field more', edit(a => (a.note = 'reviewed')), 'ALTERED', 'its signature is not valid'],
  ['a field less', edit(a => delete a.population), 'ALTERED', 'its signature is not valid'],
  [
    'a field twice',
    text => text.replace('"gate_status"', '"gate_status":"passed","gate_status"'),
    'ALTERED',
    'it has a field twice',
  ],
  ['no signature', edit(a => delete a.signature), 'ALTERED', 'its signature is not valid'],
  [
    'another signature',
    edit(a => (a.signature = a.signature.replace(/.{4}$/, 'ffff'))),
    'ALTERED',
    'its signature is not valid',
  ],
  [
    'a key that is not here',
    edit(a => (a.signature = a.signature.replace(/:\w{16}:/, ':0123456789abcdef:'))),
    'no key here',
    'not on this machine',
  ],
  ['an unknown version', edit(a => (a.version = 2)), 'ALTERED', 'no attestation of a known version'],
  ['a text cut short', text => text.slice(0, -20), 'ALTERED', 'it contains no attestation'],
]

const STATEMENT: readonly Kind[] = [
  ['a changed payload', payload(s => (s.predicate.gate_status = 'passed')), 'ALTERED', 'its signature is not valid'],
  [
    'another subject',
    payload(s => (s.subject[0].digest.gitTree = '0'.repeat(40))),
    'ALTERED',
    'its signature is not valid',
  ],
  ['another payload type', edit(e => (e.payloadType = 'text/plain')), 'ALTERED', 'its payload type is "text/plain"'],
  ['no signature', edit(e => (e.signatures = [])), 'ALTERED', 'it has 0 signatures'],
  ['two signatures', edit(e => e.signatures.push(e.signatures[0])), 'ALTERED', 'it has 2 signatures'],
  [
    'the signature of another key under our name',
    async text => {
      const value = JSON.parse(text) as Json
      const forged = await signEnvelope(Buffer.from(value.payload, 'base64'), IN_TOTO, otherKey)
      return JSON.stringify({ ...value, signatures: [{ ...value.signatures[0], sig: forged.signatures[0]!.sig }] })
    },
    'ALTERED',
    'its signature is not valid',
  ],
  [
    'another key',
    async text =>
      JSON.stringify(await signEnvelope(Buffer.from((JSON.parse(text) as Json).payload, 'base64'), IN_TOTO, otherKey)),
    'no key here',
    'a key that is not here',
  ],
  [
    'base64 with a line break',
    edit(e => (e.payload = `${e.payload.slice(0, 8)}\n${e.payload.slice(8)}`)),
    'ALTERED',
    'not in base64',
  ],
  [
    'our signature over a statement of another kind',
    async () =>
      JSON.stringify(
        await signEnvelope(
          Buffer.from(
            JSON.stringify({
              _type: 'https://in-toto.io/Statement/v1',
              subject: [{}],
              predicateType: 'urn:other',
              predicate: {},
            }),
          ),
          IN_TOTO,
          signing,
        ),
      ),
    'ALTERED',
    'no attestation of svc',
  ],
]

const NOTARIZED: readonly Kind[] = [
  [
    'another time',
    edit(a => (a.notarization.timestamp = '2020-01-01T00:00:00.000Z')),
    'ALTERED',
    'not signed with the configured key',
  ],
  ['another place in the log', edit(a => (a.notarization.index = 5)), 'ALTERED', 'not signed with the configured key'],
  [
    'no inclusion',
    edit(a => (a.notarization.checkpoint = a.notarization.checkpoint.replace('\n1\n', '\n2\n'))),
    'ALTERED',
    'not signed with the configured key',
  ],
  [
    'a checkpoint of a notary of the same name',
    edit(a => {
      const log = openNotaryLog(join(folder(), 'log'), 'notary.test/log')
      a.notarization = {
        ...log.append({ payload_sha256: a.notarization.payload_sha256, tool_version: '0.1.0' }),
        url: 'x',
      }
      log.close()
    }),
    'ALTERED',
    'not signed with the configured key',
  ],
  [
    'the notarization of another attestation',
    edit(a => (a.notarization.payload_sha256 = 'a'.repeat(64))),
    'ALTERED',
    'about another attestation',
  ],
  [
    'a path that leads elsewhere',
    edit(a => (a.notarization.inclusion = [Buffer.alloc(32).toString('base64')])),
    'ALTERED',
    'not in the log',
  ],
  ['no form', edit(a => (a.notarization = { ok: true })), 'ALTERED', 'not in the form of the protocol'],
]

describe('a tampered document is refused, and named', () => {
  it('while each is sound as it was written', async () => {
    for (const text of [documents!.attestation, documents!.statement, documents!.bundle])
      expect((await judge(text)).word).toBe('self-signed')
    expect((await judge(documents!.notarized)).word).toBe('notarized')
    expect((await verifyBundle('a.zip', documents!.zip, keys)).judgment.word).toBe('self-signed')
  })

  it.each(ATTESTATION)('attestation: %s', async (_, tamper, word, reason) => {
    expect(await judge(await tamper(documents!.attestation))).toMatchObject({
      word,
      reason: expect.stringContaining(reason),
    })
  })

  it.each(STATEMENT)('statement: %s', async (_, tamper, word, reason) => {
    expect(await judge(await tamper(documents!.statement))).toMatchObject({
      word,
      reason: expect.stringContaining(reason),
    })
  })

  it.each(NOTARIZED)('notary: %s', async (_, tamper, word, reason) => {
    expect(await judge(await tamper(documents!.notarized))).toMatchObject({
      word,
      reason: expect.stringContaining(reason),
    })
  })
})

type Files = Record<string, Uint8Array>
const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text))
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

/** Puts files together again with a manifest that is signed anew, as somebody could who has the key. */
async function resign(files: Files): Promise<Files> {
  const names = Object.keys(files)
    .filter(name => !name.startsWith('MANIFEST'))
    .sort()
  const manifest = Buffer.from(names.map(name => `${sha(files[name]!)}  ${name}\n`).join(''))
  const envelope = await signEnvelope(manifest, 'application/vnd.svc.manifest+sha256', signing)
  return { ...files, 'MANIFEST.sha256': new Uint8Array(manifest), 'MANIFEST.sig': bytesOf(JSON.stringify(envelope)) }
}

const swap = (name: string, from: string, to: string) => (files: Files) => ({
  ...files,
  [name]: bytesOf(textOf(files[name]!).replace(from, to)),
})
const without = (name: string) => (files: Files) =>
  Object.fromEntries(Object.entries(files).filter(([own]) => own !== name))

const BUNDLE: readonly (readonly [name: string, tamper: (files: Files) => Files | Promise<Files>, reason: string])[] = [
  ['a finding was changed', swap('run/findings.jsonl', '"high"', '"info"'), 'run/findings.jsonl was changed'],
  ['the README was changed', swap('README.md', 'auditors', 'friends'), 'README.md was changed'],
  ['a file was added', files => ({ ...files, 'evidence/note.txt': bytesOf('fine') }), 'evidence/note.txt was added'],
  ['a report is missing', without('reports/report.html'), 'reports/report.html is missing'],
  ['the manifest is missing', without('MANIFEST.sha256'), 'MANIFEST.sha256 is missing'],
  ['the signature is missing', without('MANIFEST.sig'), 'MANIFEST.sig is missing'],
  [
    'a file and its sum were changed',
    files => {
      const changed = swap('run/run.json', '"failed"', '"passed"')(swap('run/run.json', 'false', 'true')(files))
      const sums = textOf(files['MANIFEST.sha256']!).replace(sha(files['run/run.json']!), sha(changed['run/run.json']!))
      return { ...changed, 'MANIFEST.sha256': bytesOf(sums) }
    },
    'MANIFEST.sha256 is not the one that was signed',
  ],
  [
    'a finding was changed and the manifest signed anew',
    files => resign(swap('run/findings.jsonl', '"high"', '"info"')(files)),
    'not the findings that were attested',
  ],
  [
    'a run was put in place of another',
    files => resign(swap('run/run.json', '20250101-000000-000010', '20250101-000000-000011')(files)),
    'it is of another run',
  ],
  [
    'the attestation was taken out and the manifest signed anew',
    files => resign(without('attestations/attestation.json')(files)),
    'attestations/attestation.json: it is missing',
  ],
]

describe('a tampered bundle is refused, and the first fault named', () => {
  const zip = (files: Files) =>
    Buffer.from(zipSync(Object.fromEntries(Object.entries(files).sort()) as Zippable, { mtime: '2025-01-01T00:00:00' }))
  const verify = async (bytes: Buffer) => (await verifyBundle('a.zip', bytes, keys)).judgment

  it.each(BUNDLE)('%s', async (_, tamper, reason) => {
    const files = await tamper(unzipSync(documents!.zip))
    expect(await verify(zip(files))).toMatchObject({ word: 'ALTERED', reason: expect.stringContaining(reason) })
  })

  it('bytes were appended, put before, or a name differs where its content begins', async () => {
    const sound = documents!.zip
    expect((await verify(Buffer.concat([sound, Buffer.from('x')]))).reason).toContain('appended')
    expect((await verify(Buffer.concat([Buffer.from('x'), sound]))).word).toBe('ALTERED')
    const renamed = Buffer.from(sound)
    renamed.write('README.MD', renamed.indexOf('README.md'))
    expect((await verify(renamed)).reason).toContain('is called "README.MD"')
    expect((await verify(Buffer.from('PK not a ZIP file at all, whatever it says'))).reason).toContain('no ZIP file')
  })

  it('a name is there twice, of which readers would take different ones', async () => {
    const one = documents!.zip
    const twin = zip({ 'aaaa.md': bytesOf('1'), 'bbbb.md': bytesOf('2') })
    const twice = Buffer.from(twin)
    for (let at = twice.indexOf('bbbb.md'); at !== -1; at = twice.indexOf('bbbb.md', at)) twice.write('aaaa.md', at)
    expect((await verify(twice)).reason).toContain('aaaa.md is there twice')
    expect(one.length).toBeGreaterThan(twice.length)
  })
})
