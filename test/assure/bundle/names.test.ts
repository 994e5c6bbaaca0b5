import { generateKeyPairSync } from 'node:crypto'
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { listEntries } from '../../../engine/assure/bundle/entries.ts'
import { MANIFEST, parseManifest, SIGNATURE, signManifest } from '../../../engine/assure/bundle/manifest.ts'
import { verifyBundle } from '../../../engine/assure/bundle/verify.ts'

const BAD = ['../x', 'a/../../x', '..', './a', 'a/.', '/etc/x', 'a//b', 'C:\\x', 'a\\..\\b', 'a/']
const encode = (text: string) => Buffer.from(text)

describe('a name that leads elsewhere', () => {
  it.each(BAD)('%s is refused in the manifest and in the archive', name => {
    expect(parseManifest(`${'0'.repeat(64)}  ${name}\n`)).toBeUndefined()
    const zip = Buffer.from(zipSync({ [name]: encode('x') }))
    expect(listEntries(zip)).toEqual({ fault: expect.stringContaining('leads') })
  })

  it.each(['a', 'a/b.c', '..a', 'a..b/c...d', '.svc'])('%s is one of a file', name => {
    expect(parseManifest(`${'0'.repeat(64)}  ${name}\n`)?.has(name)).toBe(true)
    expect(Array.isArray(listEntries(Buffer.from(zipSync({ [name]: encode('x') }))))).toBe(true)
  })

  it('makes a bundle altered, whoever signed it', async () => {
    const key = generateKeyPairSync('ed25519').privateKey
    const own = { name: '../../evil', content: 'x' }
    const files = [own, ...(await signManifest([own], key))]
    const zip = zipSync(Object.fromEntries(files.map(({ name, content }) => [name, encode(content as string)])))
    const { judgment } = await verifyBundle('a.zip', Buffer.from(zip), { secrets: [], publicKeys: new Map() })
    expect(judgment.word).toBe('ALTERED')
    expect(judgment.reason).toContain('../../evil')
  })
})

it('the signature of the manifest is verified before anything else is unpacked', async () => {
  // A file whose compressed data is damaged: whoever unpacks it first says so.
  const files = { 'a.txt': encode('a'.repeat(1000)), [MANIFEST]: encode('x\n'), [SIGNATURE]: encode('{}') }
  const zip = Buffer.from(zipSync(files))
  zip.fill(0xff, 30 + 'a.txt'.length, 30 + 'a.txt'.length + 4)
  const { judgment, first } = await verifyBundle('a.zip', zip, { secrets: [], publicKeys: new Map() })
  expect([judgment.word, first]).toEqual(['ALTERED', SIGNATURE])
})
