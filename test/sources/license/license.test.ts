import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { expect, it } from 'vitest'
import { canonical } from '../../../engine/base/text/canonical.ts'
import { readLicense } from '../../../engine/sources/license/license.ts'
import { requireTier } from '../../../engine/sources/packs/tier.ts'
import { refusal } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const env = { GUARD_LICENSE_KEY: publicKey.export({ type: 'spki', format: 'der' }).toString('base64') }
const LICENSE = { holder: 'Example Ltd', tiers: ['enterprise'], issued_at: '2026-01-01', expires: '2099-01-01' }

function licensed(license: object, key: KeyObject = privateKey, change = (text: string) => text): string {
  const signature = sign(null, Buffer.from(canonical(license)), key).toString('base64')
  return folder({ '.svc/license.json': change(JSON.stringify({ license, signature })) })
}

it('a signed license covers its tiers for its time, with a key in base64 or PEM', () => {
  expect(readLicense(licensed(LICENSE), env, '2026-06-01')).toMatchObject({
    state: 'valid',
    tiers: ['open', 'enterprise'],
    holder: 'Example Ltd',
  })
  const pem = { GUARD_LICENSE_KEY: publicKey.export({ type: 'spki', format: 'pem' }) as string }
  expect(readLicense(licensed(LICENSE), pem, '2026-06-01').state).toBe('valid')
})

it.each([
  ['none', () => folder(), env, '2026-06-01'],
  ['expired', () => licensed({ ...LICENSE, expires: '2026-05-31' }), env, '2026-06-01'],
  ['not_yet', () => licensed(LICENSE), env, '2025-12-31'],
  ['no_key', () => licensed(LICENSE), {}, '2026-06-01'],
  ['invalid', () => licensed(LICENSE, generateKeyPairSync('ed25519').privateKey), env, '2026-06-01'],
  ['invalid', () => licensed(LICENSE, privateKey, text => text.replace('enterprise', 'everything')), env, '2026-06-01'],
  ['invalid', () => licensed({ ...LICENSE, expires: 'never' }), env, '2026-06-01'],
  ['invalid', () => folder({ '.svc/license.json': 'no JSON' }), env, '2026-06-01'],
] as const)('%s covers the open tier alone', (state, root, own, today) => {
  expect(readLicense(root(), own, today)).toMatchObject({ state, tiers: ['open'] })
})

it('a pack above the tiers is refused, and the refusal says how to get it', async () => {
  const pack = { id: 'bank', tier: 'enterprise' }
  const refused = await refusal(() => requireTier(pack, folder(), env))
  expect([refused.code, refused.row.status]).toEqual(['FORBIDDEN', 403])
  expect(refused.hint).toContain('.svc/license.json')
  expect(() => requireTier(pack, licensed(LICENSE), env)).not.toThrow()
  expect(() => requireTier({ id: 'js', tier: 'open' }, folder(), env)).not.toThrow()
})
