import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { buildInventory } from '../../engine/supply/inventory/build.ts'
import { FORMATS } from '../../engine/supply/inventory/formats.ts'
import { ManifestFault, type Parsed } from '../../engine/supply/inventory/parsed.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/lockfiles/scalibr', import.meta.url))

/** Its extractors by our formats, where the names differ; the file name is what a repository has. */
const NAMES: Record<string, string> = {
  'cpp/conanlock': 'conan.lock',
  'dart/pubspec': 'pubspec.lock',
  'dotnet/csproj': 'a.csproj',
  'dotnet/nugetcpm': 'Directory.Packages.props',
  'dotnet/packagesconfig': 'packages.config',
  'dotnet/paketdependencies': 'paket.dependencies',
  'dotnet/paketlock': 'paket.lock',
  'elixir/mixlock': 'mix.lock',
  'erlang/mixlock': 'mix.lock',
  'gleam/gleamtoml': 'gleam.toml',
  'golang/gomod': 'go.mod',
  'golang/vendormodules': 'vendor/modules.txt',
  'haskell/cabal': 'cabal.project.freeze',
  'haskell/stacklock': 'stack.yaml.lock',
  'java/gradlelockfile': 'gradle.lockfile',
  'java/gradleverificationmetadataxml': 'verification-metadata.xml',
  'java/gradleversioncatalog': 'libs.versions.toml',
  'java/pomxml': 'pom.xml',
  'javascript/bunlock': 'bun.lock',
  'javascript/packagelockjson': 'package-lock.json',
  'javascript/pnpmlock': 'pnpm-lock.yaml',
  'javascript/yarnlock': 'yarn.lock',
  'julia/manifesttoml': 'Manifest.toml',
  'julia/projecttoml': 'Project.toml',
  'ocaml/opam': 'a.install',
  'perl/cpan': 'META.json',
  'php/composerlock': 'composer.lock',
  'python/condameta': 'conda-meta/a.json',
  'python/pdmlock': 'pdm.lock',
  'python/pipfilelock': 'Pipfile.lock',
  'python/poetrylock': 'poetry.lock',
  'python/pylock': 'pylock.toml',
  'python/pyprojecttoml': 'pyproject.toml',
  'python/uvlock': 'uv.lock',
  'r/renvlock': 'renv.lock',
  'ruby/gemfilelock': 'Gemfile.lock',
  'rust/cargolock': 'Cargo.lock',
  'rust/cargotoml': 'Cargo.toml',
  'swift/packageresolved': 'Package.resolved',
  'swift/podfilelock': 'Podfile.lock',
}

/** Where we answer otherwise on purpose. */
const OTHERWISE: Record<string, string> = {
  'language/elixir/mixlock/testdata/invalid': 'a line that cannot be read is a fault here, and is passed over there',
  'language/java/pomxml/testdata/with-parent.xml': 'its parent is not among the data',
  'language/javascript/bunlock/testdata/files.json5': 'a directory on disk is no package of a registry',
  'language/javascript/packagelockjson/testdata/files.v1.json': 'a directory on disk is no package of a registry',
  'language/golang/vendormodules/testdata/valid/vendor/modules.txt': 'the expected name is cut off after github.com/',
}

interface Case {
  id: string
  extractor: string
  file: string
  error: boolean
  packages: { name: string; version: string }[]
}

const { compileFormats } = await import('../../engine/supply/inventory/select.ts')
const formatOf = compileFormats()

/** Names and versions that a file of this format has, and whether it was refused. */
async function read({ extractor, file }: Case) {
  const extension = /\.ya?ml$/.test(file) && extractor.endsWith('cpan') ? 'META.yml' : undefined
  const name = extension ?? NAMES[extractor.replace('language/', '')]!
  const format = formatOf(name)!
  const parser = await format.load!()
  let parsed: Parsed
  try {
    parsed = parser.parse(readFileSync(`${DATA}/${file}`, 'utf8'), name)
  } catch (error) {
    return { refused: true, found: [] as string[], fault: error }
  }
  parser.combine?.(new Map([[name, parsed]]))
  const { ecosystem, family, kind, id } = format
  const { components, projects } = buildInventory(
    [{ file: name, format: id, ecosystem, family, kind, workspaces: false, parsed }],
    [],
  )
  const own = [...(parsed.entries ?? []), ...(parsed.projects ?? []).flatMap(({ declares = [] }) => declares)]
  // A directory is a project here, not a package; a range is a requirement, not a version.
  const named = [
    ...components,
    ...projects,
    ...(parsed.projects ?? []),
    ...own.flatMap(each => {
      const requirement = 'requirement' in each ? each.requirement : undefined
      const versions = [each.version, requirement, requirement?.replace(/^[~<>=! ]+/, '')]
      return versions.map(version => ({ name: each.name, version }))
    }),
    ...(parsed.projects ?? []).flatMap(({ declares = [] }) =>
      declares.map(({ directory }) => ({ name: `./${directory}`, version: '' })),
    ),
  ]
  return {
    refused: (parsed.faults ?? []).length > 0,
    found: named.map(each => `${each.name}@${each.version ?? ''}`),
    fault: parsed.faults?.[0],
  }
}

describe.runIf(existsSync(DATA))('lock files of other scanners', () => {
  const cases = existsSync(DATA)
    ? readFileSync(`${DATA}/expected.jsonl`, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line) as Case)
    : []

  it.each(cases.map(each => [each.id, each] as const))('%s', async (_id, each) => {
    const { refused, found, fault } = await read(each)
    const loose = (text: string) => text.toLowerCase().replace(/[-_]/g, '-')
    const all = new Set(found.map(loose))
    const names = new Set(found.map(text => loose(text.slice(0, text.lastIndexOf('@')))))
    const missing = each.packages.filter(({ name, version }) =>
      /^$|use\.local$/.test(version) ? !names.has(loose(name)) : !all.has(loose(`${name}@${version}`)),
    )
    if (each.id in OTHERWISE) return
    expect(missing, 'packages that were not found').toEqual([])
    expect(refused, fault === undefined ? 'nothing was refused' : String(fault)).toBe(each.error)
    if (fault !== undefined) expect(fault).toBeInstanceOf(ManifestFault)
  })
})

describe.runIf(!existsSync(DATA))('lock files of other scanners', () => {
  it('were not compared: the data is not here', () => {
    console.warn('Lock files were not compared: ../shared/data/lockfiles is not there.')
    expect(FORMATS.length).toBeGreaterThan(0)
  })
})
