import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { perform } from '../../engine/scan/perform.ts'
import { persist } from '../../engine/scan/persist.ts'
import { surface } from '../made/call.ts'
import { project } from '../made/project.ts'
import { wordRule } from '../made/rules.ts'

describe('a stored scan', () => {
  test('leaves the same findings and reports when it is run again, ids and times aside', async () => {
    const root = project({ ...wordRule('frobnicate'), 'a.py': 'frobnicate()\n', 'b.js': 'eval(location.hash)\n' })
    const read = () =>
      [
        'findings.json',
        'report.csv',
        'report.sarif',
        'report.junit.xml',
        'report.md',
        'report.html',
        'report.gitlab.json',
      ].map(name => {
        const { id, started_at } = JSON.parse(readFileSync(join(root, 'out/run.json'), 'utf8')) as {
          id: string
          started_at: string
        }
        return readFileSync(join(root, 'out', name), 'utf8')
          .replaceAll(id, 'ID')
          .replaceAll(started_at, 'TIME')
      })
    const once = async (jobs?: number) => {
      const told = surface(root, { env: { SOURCE_DATE_EPOCH: '1700000000' } })
      await persist(await perform({ repo_path: '.', ...(jobs && { jobs }) }, told.context), told.context)
      return read()
    }
    const first = await once()
    expect(await once(2)).toEqual(first)
  })

  test('answers its findings letter for letter as it writes them, whatever fields they have', async () => {
    const root = project({
      ...wordRule('frobnicate', 'fix: mend'),
      '.svc/config.yaml':
        'governance: { blast_radius: { enabled: true, zones: [{ name: core, patterns: ["core/**"] }] } }\n',
      'a.js': 'eval(location.hash)\n',
      'core/a.js': 'eval(location.hash)\n',
      'core/b.txt': 'frobnicate\n',
      'core/c.py': 'frobnicate()  # svc-ignore: local-frobnicate -- ours\n',
    })
    const told = surface(root)
    const performed = await perform({ repo_path: '.' }, told.context)
    await persist(performed, told.context)
    const written = readFileSync(join(root, 'out/findings.json'), 'utf8')
    expect(JSON.stringify(performed.findings)).toBe(JSON.stringify(JSON.parse(written)))
    for (const field of ['zone', 'fix', 'flow', 'suppression'] as const)
      expect(performed.findings.some(finding => finding[field] !== undefined)).toBe(true)
  })
})
