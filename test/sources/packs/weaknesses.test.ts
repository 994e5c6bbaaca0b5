import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readForms } from '../../../engine/sources/packs/weaknesses.ts'

/** A folder with one rule by weakness of these files. */
function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-forms-'))
  mkdirSync(join(folder, 'harm'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'harm', name), text)
  return folder
}

const FORM = 'key: lua-harm\npack: tech\nlanguages: [lua]\nsinks:\n  - calls: [harm]\n'

test('a form that leaves open which sources it follows is refused: without any, each call would be reported', async () => {
  const folder = folderWith({ 'rule.yaml': 'id: harm\nseverity: high\n', 'lua.yaml': FORM })
  await expect(readForms(folder, 'weaknesses')).rejects.toMatchObject({
    code: 'PACK_INVALID',
    message: 'weaknesses/harm/lua.yaml is not valid.',
    faults: [{ message: expect.stringContaining('say sources: [] if each call that fits is reported') }],
  })
})

test.each(['sources: [request]\n', 'sources: []\n', 'own_sources: [{ calls: [read] }]\n'])(
  'a form may name its sources, say that it has none, or have its own: %s',
  async line => {
    const folder = folderWith({ 'rule.yaml': 'id: harm\nseverity: high\n', 'lua.yaml': FORM + line })
    const forms = await readForms(folder)
    expect(forms.get('tech')).toMatchObject([{ data: { id: 'lua-harm', type: 'taint', severity: 'high' } }])
  },
)

test('what a rule says of sources holds for its forms', async () => {
  const folder = folderWith({ 'rule.yaml': 'id: harm\nsources: [file]\n', 'lua.yaml': FORM })
  expect((await readForms(folder)).get('tech')).toMatchObject([{ data: { sources: ['file'] } }])
})
