import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import explain from '../../engine/ops/rules/explain.ts'
import { readEpss } from '../../engine/supply/advisories/exploits.ts'
import { computeFolderStamp } from '../../engine/supply/advisories/folder-stamp.ts'
import { matchPackage } from '../../engine/supply/advisories/match.ts'
import { readAdvisory } from '../../engine/supply/advisories/read-compact.ts'
import { indexDatabase } from '../../engine/supply/advisories/source.ts'
import { makeBill } from '../../engine/supply/sbom/bill.ts'
import { context } from '../made/call.ts'
import { folder } from '../made/folder.ts'
import { project } from '../made/project.ts'
import { inventoryOf } from './inventory/read.ts'
import { osvRecord } from './osv-server.ts'

describe('an advisory that a database claims for a version', () => {
  const advisory = readAdvisory(osvRecord('GHSA-a', 'PyPI', 'a', '1.2.0'))

  it('is left out where each of its ranges says otherwise, and kept where they cannot tell', () => {
    const claimed = new Set(['GHSA-a'])
    const match = (version: string) => matchPackage({ ecosystem: 'PyPI', name: 'a', version }, [advisory], claimed)
    expect(match('1.3.0').matches).toEqual([])
    expect(match('1.0.0').matches).toHaveLength(1)
    expect(match('no version').matches).toHaveLength(1)
    const other = matchPackage({ ecosystem: 'PyPI', name: 'b', version: '1.3.0' }, [advisory], claimed)
    expect(other.matches).toHaveLength(1)
  })
})

describe('the stamp of a database folder', () => {
  it('changes with any file of a folder of thousands', () => {
    const root = folder({})
    mkdirSync(join(root, 'npm'))
    for (let i = 0; i < 3000; i++) writeFileSync(join(root, 'npm', `${String(i).padStart(5, '0')}.json`), '{}')
    const before = computeFolderStamp(root)
    expect(computeFolderStamp(root)).toBe(before)
    appendFileSync(join(root, 'npm/02999.json'), ' ')
    const changed = computeFolderStamp(root)
    expect(changed).not.toBe(before)
    utimesSync(join(root, 'npm/02998.json'), 1, 1)
    expect(computeFolderStamp(root)).not.toBe(changed)
  })
})

describe('a file of EPSS scores', () => {
  const read = async (path: string) => {
    const found: string[] = []
    for await (const { cve } of readEpss(path)) found.push(cve)
    return found
  }

  it('that is damaged is refused with file and line, plain or gzipped', async () => {
    const text = '#model\ncve,epss,percentile\nCVE-2024-1,0.1,0.2\nCVE-2024-2,9,0.2\n'
    const root = folder({ 'epss.csv': text })
    const place = (name: string, line: number) => ({ code: 'INPUT_INVALID', place: { file: join(root, name), line } })
    await expect(read(join(root, 'epss.csv'))).rejects.toMatchObject(place('epss.csv', 4))
    const whole = gzipSync('CVE-2024-1,0.1,0.2\n'.repeat(10_000))
    writeFileSync(join(root, 'epss.csv.gz'), whole.subarray(0, whole.length >> 1))
    await expect(read(join(root, 'epss.csv.gz'))).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    writeFileSync(join(root, 'epss-bad.csv.gz'), 'no gzip at all')
    await expect(read(join(root, 'epss-bad.csv.gz'))).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })
})

describe('the repository in a bill of materials', () => {
  const name = async (files: Record<string, string>) =>
    makeBill(await inventoryOf(files), { name: 'folder', created: new Date(0), tool: { name: 'svc', version: '1' } })
      .root.name

  it('has the name of its package or directory, never that of a workflow or an image', async () => {
    const workflow = {
      '.github/workflows/ci.yml': 'jobs:\n  a:\n    steps:\n      - uses: o/a@v1.0.0\n',
      Dockerfile: 'FROM a:1\n',
    }
    expect(await name(workflow)).toBe('folder')
    expect(await name({ ...workflow, 'package.json': '{"name":"x"}' })).toBe('x')
  })
})

describe('svc explain', () => {
  it('explains the rule of an advisory, with the database and without one', async () => {
    const database = folder({
      'a.json': JSON.stringify({ ...osvRecord('GHSA-aaaa', 'PyPI', 'a', '1.2.0'), summary: 'Bad thing' }),
    })
    const root = project({ '.svc/config.yaml': `vulns:\n  database: ${database}\n` })
    const env = { XDG_CACHE_HOME: folder({}) }
    const ask = async (rule_id: string) => await explain.run({ rule_id } as never, context(root, { env }) as never)
    expect(await ask('supply:ghsa-aaaa')).toMatchObject({
      pack_id: 'supply',
      title: 'Vulnerable dependency: ghsa-aaaa',
    })
    await indexDatabase(database, { env, signal: new AbortController().signal, onProgress: () => {} })
    expect(await ask('supply:ghsa-aaaa')).toMatchObject({ message: 'Bad thing', severity: 'high' })
    expect(await ask('supply:vulnerabilities')).toMatchObject({
      remediation: expect.stringContaining('vulns.database'),
    })
  })
})
