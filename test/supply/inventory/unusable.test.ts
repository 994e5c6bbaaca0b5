import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../../engine/supply/inventory/formats.ts'
import { inventoryOf } from './read.ts'
import { SAMPLES } from './samples.ts'

const MERGE = '<<<<<<< HEAD\n=======\n>>>>>>> other\n'
const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 1\n'

describe('a file that is no whole manifest', () => {
  it.each(Object.keys(SAMPLES))(
    'is refused where it is a pointer of git LFS or has conflict markers: %s',
    async path => {
      const { manifests } = await inventoryOf({ [path]: LFS })
      expect(manifests).toMatchObject([{ state: 'failed', detail: expect.stringContaining('git LFS'), line: 1 }])
      const merged = await inventoryOf({ [path]: `${SAMPLES[path]!.text}\n${MERGE}` })
      expect(merged.manifests).toMatchObject([{ state: 'failed', detail: expect.stringContaining('conflict') }])
    },
  )

  it.each([
    ['Gemfile.lock', 'GEM\n  remote: https://rubygems.org/\n  specs:\n    a (1.0)\n', 'DEPENDENCIES'],
    ['.terraform.lock.hcl', 'provider "registry.terraform.io/o/a" {\n  version = "1.0.0"\n', 'not closed'],
    ['.terraform.lock.hcl', 'version = "1.0.0"\n}\n', 'outside'],
    ['paket.lock', 'hello\n  world\n', 'no section'],
    ['cabal.project.freeze', 'hello\n', 'no constraints'],
    ['cabal.project.freeze', 'constraints: any.a ==1.0,\n  any.b', 'too early'],
    ['rebar.lock', '{"1.2.0",\n[{<<"a">>,{pkg,<<"a">>,<<"1.0">>},0},\n', 'not closed'],
    ['mix.lock', `%{\n  "a": {:hex, :a, "1.0.0", "${'a'.repeat(64)}", [:mix], [], "hexpm"},\n`, 'not closed'],
    ['pubspec.lock', '# nothing\na: 1\n', 'pubspec.lock'],
    ['Podfile.lock', 'a: 1\n', 'Podfile.lock'],
    ['Chart.lock', 'dependencies:\n- name: a\n  version: 1.0.0\n', 'digest'],
    ['x.opam.locked', 'opam-version "2.0"\n', 'name.version'],
    ['yarn.lock', 'a@1:\n', 'no version'],
    ['gradle.lockfile', 'g:a:1=x\ng:b\n', 'group:artifact:version'],
  ])('%s is refused where it ends too early or is something else', async (path, text, what) => {
    const { manifests } = await inventoryOf({ [path]: text })
    expect(manifests).toMatchObject([{ state: 'failed', detail: expect.stringContaining(what) }])
  })

  it.each([
    ['product-requirements.txt', 'The system must be fast\nOverview\n- it works, mostly\n'],
    ['META.json', '{"name":"assets","size":3}'],
    ['META.json', '{"name":"pair","version":"0.1","meta-spec":{"version":"1.0.0","url":"https://pgxn.org/spec/"}}'],
    ['a.install', 'lib: [\n  "_build/a.cmi"\n]\n'],
    ['constraints.txt', 'a==1.0\n'],
  ])('%s that only has the name of one is no gap and names nothing', async (path, text) => {
    const { manifests, components } = await inventoryOf({ [path]: text })
    expect(components).toEqual([])
    expect(manifests).toMatchObject([{ state: 'read' }])
  })

  it('every format that has a sample is read the same with line ends of Windows and a byte order mark', async () => {
    for (const [path, { text, names }] of Object.entries(SAMPLES)) {
      const { components, manifests } = await inventoryOf({ [path]: `\ufeff${text.replaceAll('\n', '\r\n')}` })
      expect(manifests, path).toMatchObject([{ state: 'read' }])
      expect(components.map(({ name, version = '' }) => `${name}@${version}`).sort(), path).toEqual(names)
    }
  })

  it('every format that is read has a sample', async () => {
    const { compileFormats } = await import('../../../engine/supply/inventory/select.ts')
    const formatOf = compileFormats()
    const sampled = new Set(Object.keys(SAMPLES).map(path => formatOf(path)?.id))
    expect(FORMATS.filter(({ id, load }) => load !== undefined && !sampled.has(id)).map(({ id }) => id)).toEqual([])
  })
})

describe('what a manifest says', () => {
  const named = async (files: Record<string, string>) => {
    const { components, manifests } = await inventoryOf(files)
    return {
      names: components.map(({ ecosystem, name, version = '' }) => `${ecosystem}:${name}@${version}`).sort(),
      failed: manifests.filter(({ state }) => state === 'failed').map(({ file }) => file),
    }
  }

  it.each<[string, Record<string, string>, string[]]>([
    [
      'a list of setup.py does not end at the bracket of an extra',
      {
        'setup.py':
          "setup(install_requires=[\n  'a[x]==1.0',  # ]\n  \"b==2.0\",\n], extras_require={'x': ['c==3.0']})\n",
      },
      ['PyPI:a@1.0', 'PyPI:b@2.0', 'PyPI:c@3.0'],
    ],
    [
      'setup.cfg has requirements in files',
      { 'setup.cfg': '[options]\ninstall_requires = file: reqs/base.txt\n', 'reqs/base.txt': 'a==1.0\n' },
      ['PyPI:a@1.0'],
    ],
    [
      'pyproject.toml has requirements in files',
      {
        'pyproject.toml':
          '[project]\nname = "x"\ndynamic = ["dependencies"]\n[tool.setuptools.dynamic]\ndependencies = { file = ["deps.txt"] }\n',
        'deps.txt': 'a==1.0\n',
      },
      ['PyPI:a@1.0'],
    ],
    [
      'environment.yml lists pip items of every form',
      {
        'environment.yml':
          'dependencies:\n- pip:\n  - -r more.txt\n  - a==1.0\n  - git+https://e.org/o/b@v1#egg=b\n  - -e .\n',
        'more.txt': 'c==2.0\n',
      },
      ['PyPI:a@1.0', 'PyPI:b@', 'PyPI:c@2.0'],
    ],
    [
      'a package may be named like a property of every object',
      {
        'package-lock.json':
          '{"lockfileVersion":3,"packages":{"":{"dependencies":{"constructor":"1"}},"node_modules/constructor":{"version":"1.0.0","dependencies":{"toString":"1"}},"node_modules/toString":{"version":"1.0.0"}}}',
      },
      ['npm:constructor@1.0.0', 'npm:toString@1.0.0'],
    ],
    [
      'composer.json writes an empty map as a list',
      { 'composer.json': '{"require":{"v/a":"1.0.0"},"require-dev":[]}' },
      ['Packagist:v/a@1.0.0'],
    ],
    [
      'requirements.lock may be that of Rye',
      { 'requirements.lock': '-e file:.\na==1.0\n    # via x\n' },
      ['PyPI:a@1.0'],
    ],
    [
      'steps that a script prints are none, and images may be written as docker://',
      {
        '.github/workflows/a.yml':
          'jobs:\n  a:\n    container: e.org/c:1\n    services:\n      d:\n        image: d:2\n    steps:\n      - run: |\n          - uses: o/printed@v1.0.0\n      - uses: docker://alpine:3\n      - uses: o/a/path@v1.0.0\n      - uses: ./own\n',
        'action.yml': 'runs:\n  using: docker\n  image: docker://b:4\n',
      },
      ['Docker:alpine@3', 'Docker:b@4', 'Docker:c@1', 'Docker:d@2', 'GitHub Actions:o/a@v1.0.0'],
    ],
    [
      'the library of Go is that of the toolchain',
      { 'go.mod': 'module m\ngo 1.21\ntoolchain go1.22.3\n', 'b/go.mod': 'module n\ngo 1.20.1\n' },
      ['Go:stdlib@1.20.1', 'Go:stdlib@1.22.3'],
    ],
    [
      'a central version that no project refers to is none',
      {
        'Directory.Packages.props':
          '<Project><ItemGroup><PackageVersion Include="A" Version="1.0.0"/><PackageVersion Include="B" Version="2.0.0"/></ItemGroup></Project>',
        's/a.csproj': '<Project><ItemGroup><PackageReference Include="a"/></ItemGroup></Project>',
      },
      ['NuGet:a@1.0.0'],
    ],
    [
      'an image by an argument without a default is not known, and no fault',
      { Dockerfile: 'ARG REG\nFROM ${REG}/a:1\nFROM b:2\n' },
      ['Docker:b@2'],
    ],
    [
      'directories of the repository are no packages of a registry',
      {
        'a/package-lock.json': '{"lockfileVersion":1,"dependencies":{"x":{"version":"file:../x"}}}',
        'b/yarn.lock': '"x@file:../x":\n  version "0.0.0"\n',
        'c/yarn.lock':
          '__metadata:\n  version: 8\n"x@file:../x":\n  version: 0.0.0\n  resolution: "x@file:../x#../x::hash=1&locator=c"\n',
        'd/pnpm-lock.yaml':
          "lockfileVersion: '9.0'\npackages:\n  x@file:../x:\n    resolution: {directory: ../x, type: directory}\nsnapshots:\n  x@file:../x: {}\n",
        'e/poetry.lock': '[[package]]\nname = "x"\nversion = "1"\n[package.source]\ntype = "directory"\nurl = "../x"\n',
        'f/uv.lock': '[[package]]\nname = "x"\nversion = "1"\nsource = { directory = "../x" }\n',
        'g/pdm.lock': '[[package]]\nname = "x"\nversion = "1"\npath = "../x"\n',
        'h/composer.lock': '{"packages":[{"name":"v/x","version":"1.0.0","dist":{"type":"path","url":"../x"}}]}',
        'i/Pipfile.lock': '{"default":{"x":{"path":"../x","editable":true}}}',
        'j/Podfile.lock': 'PODS:\n  - x (1.0)\nEXTERNAL SOURCES:\n  x:\n    :path: "../x"\n',
        'k/Chart.lock': 'dependencies:\n- name: x\n  repository: file://../x\n  version: 1.0.0\ndigest: x\n',
        'l/requirements.txt': 'x @ file:../x\n',
        'm/package.json': '{"dependencies":{"x":"file:../x"}}',
      },
      [],
    ],
    [
      'constraints limit and add nothing',
      { 'requirements.txt': '-c constraints.txt\na\n', 'constraints.txt': 'a==1.0\nb==2.0\n' },
      ['PyPI:a@1.0'],
    ],
  ])('%s', async (_, files, names) => {
    expect(await named(files)).toEqual({ names, failed: [] })
  })

  it('is an edge of a package that is named like a property of every object', async () => {
    const { components } = await inventoryOf({
      'package-lock.json':
        '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","dependencies":{"constructor":"1"}},"node_modules/constructor":{"version":"1.0.0"}}}',
    })
    expect(components.find(({ name }) => name === 'a')!.dependencies).toEqual(['pkg:npm/constructor@1.0.0'])
  })
})
