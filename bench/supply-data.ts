import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Lock files of npm as real ones are: each package has a digest, an address, a license and needs some of those after it. */
function makePackages(prefix: string, count: number): { names: string[]; packages: Record<string, object> } {
  const names = Array.from({ length: count }, (_, i) => `${prefix}-${i}`)
  const packages: Record<string, object> = {}
  for (const [i, name] of names.entries()) {
    const needed = [i * 2 + 1, i * 2 + 2, i + 7].flatMap(at => names[at] ?? [])
    packages[`node_modules/${name}`] = {
      version: `1.${i % 20}.${i % 7}`,
      resolved: `https://registry.example.org/${name}/-/${name}-1.0.0.tgz`,
      integrity: `sha512-${createHash('sha512').update(name).digest('base64')}`,
      license: 'MIT',
      ...(needed.length > 0 && { dependencies: Object.fromEntries(needed.map(each => [each, '^1.0.0'])) }),
    }
  }
  return { names, packages }
}

/** Writes a project of npm with as many packages, the first ten of them direct. */
export function writeProject(folder: string, name: string, count: number): void {
  const { names, packages } = makePackages(name, count)
  const dependencies = Object.fromEntries(names.slice(0, 10).map(each => [each, '^1.0.0']))
  mkdirSync(folder, { recursive: true })
  const write = (file: string, value: object) =>
    writeFileSync(join(folder, file), `${JSON.stringify(value, null, 2)}\n`)
  write('package.json', { name, version: '1.0.0', dependencies })
  write('package-lock.json', {
    ...{ name, version: '1.0.0', lockfileVersion: 3, requires: true },
    packages: { '': { name, version: '1.0.0', dependencies }, ...packages },
  })
}

/** Writes an advisory database: as many advisories about packages of a prefix, most of which affect an older version, in JSON lines. */
export function writeDatabase(folder: string, count: number, nameOf: (i: number) => string): void {
  mkdirSync(join(folder, 'npm'), { recursive: true })
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      ...{
        id: `GHSA-${String(i).padStart(6, '0')}`,
        modified: '2026-01-01T00:00:00Z',
        published: '2025-01-01T00:00:00Z',
      },
      ...{
        aliases: [`CVE-2025-${i}`],
        summary: 'An attacker can read any file of the server.',
        details: 'x'.repeat(400),
      },
      severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' }],
      affected: [
        {
          package: { ecosystem: 'npm', name: nameOf(i) },
          ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: i % 50 === 0 ? '2.0.0' : '0.9.0' }] }],
        },
      ],
    }),
  )
  writeFileSync(join(folder, 'npm/all.jsonl'), `${lines.join('\n')}\n`)
}
