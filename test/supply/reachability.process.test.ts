import { describe, expect, it } from 'vitest'
import { readImportedPackages } from '../../engine/quality/architecture/imported.ts'
import { discover } from '../../engine/sources/repository/discover.ts'
import { makeReachability } from '../../engine/supply/advisories/reachability.ts'
import { readInventory } from '../../engine/supply/inventory/read.ts'
import { project } from '../made/project.ts'

const LOCK = JSON.stringify({
  ...{ name: 'app', version: '1.0.0', lockfileVersion: 3 },
  packages: {
    '': { name: 'app', version: '1.0.0', dependencies: { used: '1', unused: '1', typed: '1' } },
    'node_modules/used': { version: '1.0.0', dependencies: { below: '1' } },
    'node_modules/below': { version: '1.0.0' },
    'node_modules/unused': { version: '1.0.0', dependencies: { deep: '1' } },
    'node_modules/deep': { version: '1.0.0' },
    'node_modules/typed': { version: '1.0.0' },
  },
})
const MANIFEST = '{"name":"app","version":"1.0.0","dependencies":{"used":"1","unused":"1","typed":"1"}}'

async function judge(files: Record<string, string>): Promise<Record<string, string>> {
  const signal = new AbortController().signal
  const listing = await discover(project(files), { exclude: [], signal })
  const inventory = await readInventory(listing)
  const find = makeReachability(await readImportedPackages(listing, { maxBytes: 1_000_000, signal }), inventory)
  return Object.fromEntries(inventory.components.map(({ id, name }) => [name, find(id)]))
}
const npm = (files: Record<string, string>) => judge({ 'package.json': MANIFEST, 'package-lock.json': LOCK, ...files })

describe('whether code imports a package', () => {
  it('is said of what is imported, of what nothing imports, and is unknown of what an imported package needs', async () => {
    const code = "import used from 'used/lib/x.js'\nimport type { T } from 'typed'\nexport const a: T = used\n"
    expect(await npm({ 'a.ts': code })).toEqual({
      used: 'imported',
      below: 'unknown',
      unused: 'not_imported',
      deep: 'not_imported',
      typed: 'not_imported',
    })
  })

  it('is never "not imported" where an import is known at run time only, or there is no code of the language', async () => {
    const computed = "import 'used'\nexport const load = (name: string) => import(name)\n"
    expect(await npm({ 'a.ts': computed })).toMatchObject({ used: 'imported', unused: 'unknown', deep: 'unknown' })
    expect(await npm({ 'a.py': 'import os\n' })).toMatchObject({ used: 'unknown', unused: 'unknown' })
  })

  it('goes by the path of the module in Go, of which the library is always there', async () => {
    const go = await judge({
      'go.mod':
        'module example.com/app\n\ngo 1.22\n\nrequire (\n\tgithub.com/a/b/v2 v2.0.0\n\tgithub.com/c/d v1.0.0\n)\n',
      'main.go': 'package main\n\nimport "github.com/a/b/v2/sub"\n\nfunc main() { sub.Run() }\n',
    })
    expect(go).toEqual({ 'github.com/a/b/v2': 'imported', 'github.com/c/d': 'not_imported', stdlib: 'unknown' })
  })

  it('is unknown in Python where no module has the name: a distribution has modules of any name', async () => {
    const python = await judge({
      'requirements.txt': 'requests==2.0\nPyYAML==6.0\n',
      'a.py': 'import requests\nimport yaml\n',
    })
    expect(python).toEqual({ requests: 'imported', PyYAML: 'unknown' })
  })
})
