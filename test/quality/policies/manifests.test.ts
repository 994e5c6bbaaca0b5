import { describe, expect, test } from 'vitest'
import { findManifestFormat } from '../../../engine/quality/policies/manifests/manifest.ts'

/** `name version scope line pinned` of each dependency; `?` where another file sets the version. */
function declared(path: string, text: string): string[] {
  const found = findManifestFormat(path)!.read(text)
  return found.map(({ name, version, scope, line, pinned }) =>
    [name, version || '-', scope, line, pinned === undefined ? '?' : pinned ? 'pinned' : 'loose'].join(' '),
  )
}

describe('dependencies of a manifest, with scope, line and whether they are pinned', () => {
  test('package.json', () => {
    const text = `{
  "name": "lodash",
  "dependencies": {
    "lodash": "4.17.21",
    "left-pad": "^1.0.0",
    "core": "workspace:*"
  },
  "devDependencies": { "vitest": "~4.1" },
  "peerDependencies": {
    "react": ">=18"
  }
}`
    expect(declared('packages/a/package.json', text)).toEqual([
      'lodash 4.17.21 runtime 4 pinned',
      'left-pad ^1.0.0 runtime 5 loose',
      'core workspace:* runtime 6 pinned',
      'vitest ~4.1 development 8 loose',
      'react >=18 peer 10 loose',
    ])
  })

  test('requirements.txt', () => {
    const text =
      '# web\nDjango==5.0.1 # why\nrequests>=2\n-r other.txt\nflask[async]==3.*\nurllib3==2.0.0; python_version < "4"\n'
    expect(declared('requirements-dev.txt', text)).toEqual([
      'Django ==5.0.1 runtime 2 pinned',
      'requests >=2 runtime 3 loose',
      'flask ==3.* runtime 5 loose',
      'urllib3 ==2.0.0 runtime 6 pinned',
    ])
  })

  test('requirements.txt with addresses', () => {
    const commit = 'a'.repeat(40)
    const text = [
      `git+https://github.com/o/web.git@${commit}#egg=web-kit`,
      '-e git+ssh://git@github.com/o/tool.git@main',
      'https://example.com/wheels/fast_json-1.2.3-py3-none-any.whl',
      `https://example.com/slow-json-2.0.tar.gz#sha256=${'b'.repeat(64)}`,
      './local',
      '-e .',
      'file:///home/x/pkg',
      `name @ git+https://github.com/o/n.git@${commit}`,
    ].join('\n')
    expect(declared('requirements.txt', text).map(each => each.replace(/@ ?\S+ /, ''))).toEqual([
      'web-kit runtime 1 pinned',
      'tool runtime 2 loose',
      'fast_json runtime 3 loose',
      'slow-json runtime 4 pinned',
      'name runtime 8 pinned',
    ])
  })

  test('pyproject.toml, by PEP 621, dependency groups and Poetry', () => {
    const text = `[project]
name = "x"
dependencies = [
  "httpx[http2]>=0.27", # comment
  "attrs==23.1.0",
]
[project.optional-dependencies]
docs = ["sphinx"]
[dependency-groups]
dev = ["pytest==8.0.0"]
[tool.poetry.dependencies]
python = "^3.11"
rich = "13.7.0"
`
    expect(declared('pyproject.toml', text)).toEqual([
      'httpx >=0.27 runtime 4 loose',
      'attrs ==23.1.0 runtime 5 pinned',
      'sphinx - optional 8 loose',
      'pytest ==8.0.0 development 10 pinned',
      'rich 13.7.0 runtime 13 pinned',
    ])
  })

  test('go.mod', () => {
    const text = 'module x\n\nrequire (\n\tgithub.com/a/b v1.2.3 // indirect\n)\nrequire golang.org/x/sys v0.1.0\n'
    expect(declared('go.mod', text)).toEqual([
      'github.com/a/b v1.2.3 runtime 4 pinned',
      'golang.org/x/sys v0.1.0 runtime 6 pinned',
    ])
  })

  test('Cargo.toml, tables of their own and those of the workspace too', () => {
    const text = `[dependencies]
serde = "1"
rand = { version = "=0.8.5", features = ["std"] }
core = { path = "../core" }
log = { workspace = true }
[dependencies.tokio]
version = "=1.36.0"
[dev-dependencies]
insta = "1.3"
[build-dependencies]
cc = "=1.0.90"
`
    expect(declared('Cargo.toml', text)).toEqual([
      'serde 1 runtime 2 loose',
      'rand =0.8.5 runtime 3 pinned',
      'core - runtime 4 pinned',
      'log - runtime 5 ?',
      'tokio =1.36.0 runtime 6 pinned',
      'insta 1.3 development 9 loose',
      'cc =1.0.90 build 11 pinned',
    ])
  })

  test('composer.json without the platform, and Gemfile with groups', () => {
    const composer =
      '{\n "require": {\n  "php": ">=8",\n  "monolog/monolog": "^3.0"\n },\n "require-dev": {\n  "phpunit/phpunit": "11.0.1"\n }\n}'
    expect(declared('composer.json', composer)).toEqual([
      'monolog/monolog ^3.0 runtime 4 loose',
      'phpunit/phpunit 11.0.1 development 7 pinned',
    ])
    const gemfile =
      "gem 'rails', '~> 7.1'\ngem 'pg', '1.5.4'\ngroup :test do\n  gem 'rspec'\nend\ngem 'own', path: '../own'\n"
    expect(declared('Gemfile', gemfile)).toEqual([
      'rails ~> 7.1 runtime 1 loose',
      'pg 1.5.4 runtime 2 pinned',
      'rspec - development 4 loose',
      'own - runtime 6 pinned',
    ])
  })

  test('pom.xml without managed versions, and a .NET project', () => {
    const pom = `<project>
  <dependencyManagement><dependencies>
    <dependency><groupId>a</groupId><artifactId>bom</artifactId><version>1</version></dependency>
  </dependencies></dependencyManagement>
  <dependencies>
    <!-- <dependency><groupId>no</groupId><artifactId>no</artifactId></dependency> -->
    <dependency><groupId>org.a</groupId><artifactId>b</artifactId><version>1.2</version></dependency>
    <dependency>
      <groupId>org.a</groupId><artifactId>c</artifactId><version>[1,2)</version><scope>test</scope>
    </dependency>
    <dependency><groupId>org.a</groupId><artifactId>d</artifactId></dependency>
  </dependencies>
</project>`
    expect(declared('pom.xml', pom)).toEqual([
      'org.a:b 1.2 runtime 7 pinned',
      'org.a:c [1,2) development 8 loose',
      'org.a:d - runtime 11 ?',
    ])
    const project =
      '<Project Sdk="x">\n <ItemGroup>\n  <PackageReference Include="Serilog" Version="3.1.1" />\n  <PackageReference Include="Dapper" Version="2.*" />\n </ItemGroup>\n</Project>'
    expect(declared('src/App.csproj', project)).toEqual([
      'Serilog 3.1.1 runtime 3 pinned',
      'Dapper 2.* runtime 4 loose',
    ])
  })

  test('one that is not what its name says is refused, not empty', () => {
    expect(() => declared('package.json', '{ "dependencies": ')).toThrow()
    expect(() => declared('pom.xml', 'nothing')).toThrow(/no element <project>/)
  })
})
