import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { editConfig, setKeys, unsetKey } from '../../../engine/sources/config/edit.ts'
import { repository } from '../../made/project.ts'

const CONFIG = '.svc/config.yaml'
const read = (root: string) => readFileSync(join(root, CONFIG), 'utf8')

describe('an edit', () => {
  test('of a file that an earlier edit has emptied writes lines, not one line in braces', async () => {
    const root = repository()
    await editConfig(root, document => setKeys(document, { packs: { enable: ['gdpr'] } }))
    await editConfig(root, document => unsetKey(document, 'packs.enable'))
    await editConfig(root, document => setKeys(document, { packs: { disable: ['python'] } }))
    expect(read(root)).toBe('packs:\n  disable:\n    - python\n')
  })

  test('of a map that somebody wrote in one line leaves it there', async () => {
    const root = repository({ [CONFIG]: '{packs: {enable: [gdpr]}}\n' })
    await editConfig(root, document => setKeys(document, { packs: { detect: false } }))
    expect(read(root)).toBe('{packs: {enable: [gdpr], detect: false}}\n')
  })
})
