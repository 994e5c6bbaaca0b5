import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { findWhy } from '../../../engine/supply/inventory/why.ts'
import { project } from '../../made/project.ts'
import fc from '../../made/property.ts'
import { file, finding, run } from '../../sources/store/make.ts'
import { startServer } from './server-under-test.ts'

const rows = OPERATIONS.filter(({ id }) => id.startsWith('pages.'))
const paths = rows.map(({ rest }) => rest!.split(' ')[1]!)

/** Every section in an answer, wherever it stands. */
function sectionsIn(value: unknown): { state: string; command?: string; reason?: string }[] {
  if (typeof value !== 'object' || value === null) return []
  const record = value as Record<string, unknown>
  const own =
    record.state === 'missing' || record.state === 'unreadable' || record.state === 'ready' ? [record as never] : []
  return [...own, ...Object.values(record).flatMap(sectionsIn)]
}

const serve = (cwd: string) => startServer({ rows, schemas: loadSchemas, cwd })

describe('a page of a repository where nothing was done yet', () => {
  it('answers, and says for each part that is missing which command makes it', async () => {
    const root = project({ 'a.py': 'x = 1\n', 'package.json': '{"dependencies":{"left-pad":"1.3.0"}}\n' })
    const before = readdirSync(root, { recursive: true })
    const { base } = await serve(root)
    const commands = new Set<string>()
    for (const path of paths) {
      const response = await fetch(base + path)
      expect(response.status, path).toBe(200)
      for (const { state, command, reason } of sectionsIn(await response.json())) {
        if (state !== 'missing') continue
        expect(reason, path).toMatch(/\.$/)
        commands.add(command!)
      }
    }
    const known = new Set(OPERATIONS.flatMap(({ cli }) => (cli ? [`svc ${cli.replace(/ [[<].*/, '')}`] : [])))
    expect([...commands].filter(command => !known.has(command.replace(/ --.*/, '')))).toEqual([])
    expect([...commands]).toEqual(expect.arrayContaining(['svc scan', 'svc licenses']))
    expect(readdirSync(root, { recursive: true }), 'looking at a page writes nothing').toEqual(before)
  })
})

describe('a page of a repository that was scanned', () => {
  it('has what the run found, a secret once with all its places', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    const secret = { category: 'secret' as const, rule_id: 'secret-key', fingerprint: 'same' }
    const found = [finding(1), finding(2, secret), finding(3, secret)]
    await writeRun(
      join(root, 'out'),
      run('run-01', found),
      found,
      found.map(each => file(each.file)),
    )
    const { base } = await serve(root)
    const read = async (page: string) => (await (await fetch(`${base}/api/pages/${page}`)).json()) as never
    expect(await read('secrets')).toMatchObject({
      state: 'ready',
      data: {
        total: 2,
        checks: 'missing',
        secrets: [{ fingerprint: 'same', first_seen: { run_id: 'run-01' }, places: [{ id: 'F-2' }, { id: 'F-3' }] }],
      },
    })
    expect(await read('overview')).toMatchObject({ data: { run: { id: 'run-01' }, summary: { open: 3 } } })
    expect(await read('files')).toMatchObject({ data: { files: [{}, {}, {}], findings: [{ count: 1 }, {}, {}] } })
    expect(await read('rules')).toMatchObject({ counts: { data: { findings: { 'secret-key': 2, 'py-eval': 1 } } } })
  })

  it('does not show as empty what it cannot read', async () => {
    const root = project({ 'a.py': 'x = 1\n', '.svc/evidence.yaml': 'evidence: [\n' })
    await writeRun(join(root, 'out'), run('run-01', []), [], [])
    writeFileSync(join(root, 'out', 'vulnerabilities.json'), '{"half":')
    const { base } = await serve(root)
    const read = async (page: string) => (await (await fetch(`${base}/api/pages/${page}`)).json()) as never
    expect(await read('dependencies')).toMatchObject({ vulnerabilities: { state: 'unreadable' } })
    expect(await read('evidence')).toMatchObject({ evidence: { state: 'unreadable' } })
  })
})

describe('why a component is there', () => {
  it('is a way from a direct dependency along what depends on what, for every component that one reaches', () => {
    const graphs = fc.array(fc.record({ direct: fc.boolean(), to: fc.array(fc.nat(11), { maxLength: 4 }) }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(graphs, graph => {
        const components = graph.map(({ direct, to }, n) => ({
          ...{ id: `id${n}`, name: `n${n}`, direct },
          dependencies: to.map(m => `id${m}`),
        }))
        const byName = new Map(components.map(each => [each.name, each]))
        const why = findWhy(components)
        for (const [id, way] of why) {
          expect(byName.get(way[0]!)!.direct).toBe(true)
          expect(byName.get(way.at(-1)!)!.id).toBe(id)
          for (let i = 1; i < way.length; i++)
            expect(byName.get(way[i - 1]!)!.dependencies).toContain(byName.get(way[i]!)!.id)
        }
        for (const { id, dependencies } of components)
          if (why.has(id))
            for (const next of dependencies) if (byName.has(next.replace('id', 'n'))) expect(why.has(next)).toBe(true)
      }),
    )
  })
})
