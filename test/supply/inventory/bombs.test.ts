import { describe, expect, it } from 'vitest'
import { inventoryOf } from './read.ts'

const repeat = (count: number, make: (i: number) => string) => Array.from({ length: count }, (_, i) => make(i)).join('')

/** What each file is made to cost: a value or a time that grows with the square of its size, or faster. */
const BOMBS: [string, () => Record<string, string>][] = [
  [
    'packages of one name that all need it',
    () => ({
      'poetry.lock': repeat(4000, i => `[[package]]\nname = "a"\nversion = "${i}"\n[package.dependencies]\na = "*"\n`),
    }),
  ],
  [
    'packages of one name in Cargo.lock',
    () => ({
      'Cargo.lock': repeat(
        20_000,
        i => `[[package]]\nname = "a"\nversion = "1"\nsource = "s${i}"\ndependencies = ["a 1 (x)"]\n`,
      ),
    }),
  ],
  [
    'one list that thousands of packages name by an alias',
    () => ({
      'pnpm-lock.yaml': `lockfileVersion: '9.0'\nx: &a\n${repeat(5000, i => `  p${i}: 1.0.0\n`)}snapshots:\n${repeat(5000, i => `  p${i}@1.0.0:\n    dependencies: *a\n`)}`,
    }),
  ],
  ['an alias in itself', () => ({ 'pnpm-lock.yaml': "lockfileVersion: '9.0'\nx: &a\n  - *a\npackages: {}\n" })],
  [
    'properties that grow by each other',
    () => ({
      'pom.xml': `<project><groupId>g</groupId><artifactId>a</artifactId><properties><p>${'x'.repeat(2 ** 20)}</p>${repeat(30, i => `<p${i}>${`\${p${i === 0 ? '' : i - 1}}`.repeat(10)}</p${i}>`)}</properties><dependencies>${repeat(500, i => `<dependency><groupId>g</groupId><artifactId>d${i}</artifactId><version>\${p29}</version></dependency>`)}</dependencies></project>`,
    }),
  ],
  [
    'modules that inherit the largest of parents',
    () => ({
      'pom.xml': `<project><groupId>g</groupId><artifactId>p</artifactId><version>1</version><dependencyManagement><dependencies>${repeat(5000, i => `<dependency><groupId>g</groupId><artifactId>m${i}</artifactId><version>1</version></dependency>`)}</dependencies></dependencyManagement></project>`,
      ...Object.fromEntries(
        Array.from({ length: 500 }, (_, i) => [
          `m/${i}/pom.xml`,
          `<project><parent><groupId>g</groupId><artifactId>p</artifactId><relativePath>../../pom.xml</relativePath></parent><artifactId>c${i}</artifactId><dependencies><dependency><groupId>g</groupId><artifactId>m${i}</artifactId></dependency></dependencies></project>`,
        ]),
      ),
    }),
  ],
  [
    'requirements of go.mod',
    () => ({
      'go.mod': `module m\n${repeat(30_000, i => `require e.org/a${i} v1.0.0\nreplace e.org/a${i} => e.org/b v1.${i}.0\n`)}`,
    }),
  ],
  ['a package at a thousand lines', () => ({ 'requirements.txt': repeat(50_000, () => 'a==1.0\n') })],
  ['a descriptor of aliases', () => ({ 'yarn.lock': `${'a@npm:'.repeat(2000)}x:\n  version "1"\n` })],
  [
    'dependencies of deno.lock that have other versions',
    () => ({
      'deno.lock': JSON.stringify({
        version: '4',
        npm: Object.fromEntries(
          Array.from({ length: 5000 }, (_, i) => [
            `p${i}@1.0.0`,
            { dependencies: Array.from({ length: 10 }, (_, k) => `q${i + k}@2`) },
          ]),
        ),
      }),
    }),
  ],
  [
    'charts with names that no line has',
    () => ({ 'Chart.yaml': `dependencies:\n${repeat(20_000, i => `- {name: a${i}, version: 1.0.0}\n`)}` }),
  ],
  [
    'hooks on one line',
    () => ({
      '.pre-commit-config.yaml': `repos: [${repeat(20_000, i => `{repo: "https://e.org/o/a${i}", rev: v1}, `)}]\n`,
    }),
  ],
  [
    'packages of conda that no line has',
    () => ({ 'environment.yml': `dependencies: [${repeat(20_000, i => `a${i}=1, `)}]\n` }),
  ],
  [
    'targets with tables of their own',
    () => ({ 'Cargo.toml': repeat(5000, i => `[target.t${i}.dependencies]\na${i} = "1"\n`) }),
  ],
  [
    'a path of a million directories',
    () => ({
      'package-lock.json': JSON.stringify({ packages: { [`${'a/'.repeat(300_000)}b`]: { dependencies: { x: '1' } } } }),
    }),
  ],
  [
    'a path of a million packages',
    () => ({
      'bun.lock': JSON.stringify({
        packages: { [`${'a/'.repeat(300_000)}b`]: ['b@1.0.0', '', { dependencies: { x: '1' } }] },
      }),
    }),
  ],
  [
    'a line of white space',
    () => ({ 'requirements.txt': `a${' '.repeat(300_000)}b\nc --hash${' '.repeat(300_000)}x` }),
  ],
  ['a line of braces', () => ({ 'main.tf': '{'.repeat(300_000) })],
  ['a line of letters', () => ({ 'cabal.project.freeze': repeat(300, () => `${'a'.repeat(10_000)}\n`) })],
  [
    'a text of slashes',
    () => ({ 'conan.lock': JSON.stringify({ version: '0.5', requires: ['a/1'], x: `${'a/'.repeat(300_000)} ` }) }),
  ],
]

describe('a file that is made to be costly', () => {
  it.each(BOMBS)('is read or refused in time: %s', async (_, make) => {
    const files = make()
    const before = process.memoryUsage().heapUsed
    const started = process.cpuUsage()
    const { manifests } = await inventoryOf(files)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(5000)
    expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(300)
    expect(manifests).toHaveLength(Object.keys(files).length)
  })
})
