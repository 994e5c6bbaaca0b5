import { describe, expect, it } from 'vitest'
import { EDITORS } from '../../engine/supply/fixes/editors.ts'

/** The manifest after raising a package, or why it cannot be. */
function raise(ecosystem: string, file: string, text: string, name: string, to: string, pin = false): string {
  const editor = EDITORS[ecosystem]!.find(({ files }) => files.test(file))!
  const wanted = { ecosystem, name, version: '1.0.0', to }
  const edit = pin ? editor.pin!(text, wanted, new Set()) : editor.edit(text, wanted)
  if (!edit) return 'not declared'
  return 'refusal' in edit ? `refused: ${edit.refusal}` : text.slice(0, edit.start) + edit.text + text.slice(edit.end)
}

describe('a fix changes the version alone', () => {
  it.each<[string, string, string, string, string, string]>([
    [
      'npm',
      'package.json',
      '{\n\t"dependencies": { "a": "^1.2.0" }, // odd\n}',
      'a',
      '1.2.5',
      '{\n\t"dependencies": { "a": "^1.2.5" }, // odd\n}',
    ],
    [
      'npm',
      'package.json',
      '{"name":"a","devDependencies":{"b":"1","a":"~1.2"}}',
      'a',
      '1.2.5',
      '{"name":"a","devDependencies":{"b":"1","a":"~1.2.5"}}',
    ],
    ['npm', 'package.json', '{"dependencies":{"a":">=1 <2"}}', 'a', '2.0.1', '{"dependencies":{"a":"^2.0.1"}}'],
    [
      'npm',
      'package.json',
      '{"dependencies":{"x":"npm:@s/a@^1.0.0"}}',
      'x',
      '1.0.1',
      '{"dependencies":{"x":"npm:@s/a@^1.0.1"}}',
    ],
    [
      'npm',
      'package.json',
      '{"dependencies":{"a":"github:o/a"}}',
      'a',
      '1.0.1',
      'refused: the requirement github:o/a names no version',
    ],
    ['npm', 'package.json', '{"dependencies":{"ab":"1.0.0"}}', 'a', '1.0.1', 'not declared'],
    [
      'Packagist',
      'composer.json',
      '{"require":{"php":">=8","v/a":"^1.0"}}',
      'v/a',
      '1.0.1',
      '{"require":{"php":">=8","v/a":"^1.0.1"}}',
    ],
    [
      'PyPI',
      'requirements.txt',
      '# why\nA_b[x]==1.0 ; python_version > "3"  # keep\nc==1\n',
      'a-b',
      '1.1',
      '# why\nA_b[x]==1.1 ; python_version > "3"  # keep\nc==1\n',
    ],
    ['PyPI', 'requirements.txt', 'a>=1.0,<2\n', 'a', '2.1', 'a>=2.1\n'],
    ['PyPI', 'requirements.txt', 'a-b==1.0\n', 'a', '1.1', 'not declared'],
    [
      'PyPI',
      'requirements.txt',
      'a==1.0 \\\n    --hash=sha256:00\n',
      'a',
      '1.1',
      'refused: the line has hashes, which pip-compile or uv must compute anew',
    ],
    [
      'PyPI',
      'pyproject.toml',
      '[project]\ndependencies = [\n  "a>=1.0",  # why\n  "b",\n]\n',
      'a',
      '1.1',
      '[project]\ndependencies = [\n  "a>=1.1",  # why\n  "b",\n]\n',
    ],
    [
      'PyPI',
      'pyproject.toml',
      '[tool.poetry.dependencies]\na = {version = "^1.0", extras = ["x"]}\n',
      'a',
      '1.1',
      '[tool.poetry.dependencies]\na = {version = "^1.1", extras = ["x"]}\n',
    ],
    ['PyPI', 'Pipfile', '[packages]\na = "==1.0"\n', 'a', '1.1', '[packages]\na = "==1.1"\n'],
    [
      'crates.io',
      'Cargo.toml',
      '[dependencies]\na = "1.0" # why\n',
      'a',
      '1.0.5',
      '[dependencies]\na = "1.0.5" # why\n',
    ],
    [
      'crates.io',
      'Cargo.toml',
      'a = { version = "1.0", features = ["x"] }\n',
      'a',
      '1.0.5',
      'a = { version = "1.0.5", features = ["x"] }\n',
    ],
    [
      'crates.io',
      'Cargo.toml',
      '[dependencies.a]\noptional = true\nversion = "1.0"\n',
      'a',
      '1.0.5',
      '[dependencies.a]\noptional = true\nversion = "1.0.5"\n',
    ],
    [
      'crates.io',
      'Cargo.toml',
      'b = { package = "a", version = "1.0" }\n',
      'a',
      '1.0.5',
      'b = { package = "a", version = "1.0.5" }\n',
    ],
    [
      'Go',
      'go.mod',
      'module m\n\nrequire (\n\tx.org/a v1.0.0 // indirect\n\tx.org/a/v2 v2.0.0\n)\n',
      'x.org/a',
      '1.0.5',
      'module m\n\nrequire (\n\tx.org/a v1.0.5 // indirect\n\tx.org/a/v2 v2.0.0\n)\n',
    ],
    [
      'RubyGems',
      'Gemfile',
      "gem 'a', '~> 1.0', require: false\n",
      'a',
      '1.0.5',
      "gem 'a', '~> 1.0.5', require: false\n",
    ],
    ['RubyGems', 'Gemfile', "gem 'a', '>= 1', '< 2'\n", 'a', '2.1', "gem 'a', '>= 2.1'\n"],
    [
      'Maven',
      'pom.xml',
      '<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1.0</version></dependency>',
      'g:a',
      '1.5',
      '<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1.5</version></dependency>',
    ],
    [
      'Maven',
      'pom.xml',
      '<properties><a.v>1.0</a.v></properties><dependency><groupId>g</groupId><artifactId>a</artifactId><version>$' +
        '{a.v}</version></dependency>',
      'g:a',
      '1.5',
      '<properties><a.v>1.5</a.v></properties><dependency><groupId>g</groupId><artifactId>a</artifactId><version>$' +
        '{a.v}</version></dependency>',
    ],
    [
      'Maven',
      'libs.versions.toml',
      '[versions]\nav = "1.0"\n[libraries]\na = { module = "g:a", version.ref = "av" }\n',
      'g:a',
      '1.5',
      '[versions]\nav = "1.5"\n[libraries]\na = { module = "g:a", version.ref = "av" }\n',
    ],
    ['Maven', 'build.gradle', "implementation 'g:a:1.0' // why\n", 'g:a', '1.5', "implementation 'g:a:1.5' // why\n"],
    [
      'NuGet',
      'x.csproj',
      '<PackageReference Include="A" Version="1.0" />',
      'a',
      '1.5',
      '<PackageReference Include="A" Version="1.5" />',
    ],
    [
      'NuGet',
      'Directory.Packages.props',
      '<PackageVersion Include="A" Version="$(AV)" />',
      'A',
      '1.5',
      'refused: the version is the property $(AV)',
    ],
    ['Pub', 'pubspec.yaml', 'dependencies:\n  a: ^1.0.0 # why\n', 'a', '1.5.0', 'dependencies:\n  a: ^1.5.0 # why\n'],
    [
      'Maven',
      'pom.xml',
      '<!-- <dependency><groupId>g</groupId><artifactId>a</artifactId><version>1.0</version></dependency> --><dependency><groupId>g</groupId><artifactId>b</artifactId><exclusions><exclusion><groupId>g</groupId><artifactId>a</artifactId></exclusion></exclusions><version>1.0</version></dependency>',
      'g:a',
      '1.5',
      'not declared',
    ],
    [
      'Maven',
      'pom.xml',
      '<x><v>0</v></x><properties><!-- <v>1</v> --><v>1.0</v></properties><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${v}</version></dependency>',
      'g:a',
      '1.5',
      '<x><v>0</v></x><properties><!-- <v>1</v> --><v>1.5</v></properties><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${v}</version></dependency>',
    ],
    ['Maven', 'build.gradle', "// implementation 'g:a:1.0'\n", 'g:a', '1.5', 'not declared'],
    ['NuGet', 'x.csproj', '<!-- <PackageReference Include="A" Version="1.0" /> -->', 'A', '1.5', 'not declared'],
    ['PyPI', 'pyproject.toml', '[project]\ndependencies = [\n  # "a==1.0",\n]\n', 'a', '1.1', 'not declared'],
    [
      'Go',
      'go.mod',
      'module m\nrequire x.org/b v1.0.0\nreplace x.org/b => x.org/a v1.0.0\n',
      'x.org/a',
      '1.0.5',
      'module m\nrequire x.org/b v1.0.0\nreplace x.org/b => x.org/a v1.0.5\n',
    ],
    [
      'Go',
      'go.mod',
      'module m\nrequire x.org/a v1.0.0\nreplace x.org/a => ../a\n',
      'x.org/a',
      '1.0.5',
      'refused: x.org/a is replaced by another module',
    ],
    ['Hex', 'mix.exs', '{:a, "~> 1.0", only: :test}', 'a', '1.5.0', '{:a, "~> 1.5.0", only: :test}'],
    [
      'GitHub Actions',
      '.github/workflows/ci.yml',
      '- uses: o/a@v1.0.0 # why\n',
      'o/a',
      '1.0.5',
      '- uses: o/a@v1.0.5 # why\n',
    ],
  ])('%s: %s %j', (ecosystem, file, text, name, to, expected) => {
    expect(raise(ecosystem, file, text, name, to)).toBe(expected)
  })
})

describe('a transitive package is pinned', () => {
  it.each<[string, string, string, string, string]>([
    [
      'npm',
      'package.json',
      '{\n  "name": "x"\n}\n',
      'a',
      '{\n  "name": "x",\n  "overrides": {\n    "a": "1.5.0"\n  }\n}\n',
    ],
    [
      'npm',
      'package.json',
      '{\n  "overrides": {\n    "b": "1"\n  }\n}\n',
      'a',
      '{\n  "overrides": {\n    "b": "1",\n    "a": "1.5.0"\n  }\n}\n',
    ],
    [
      'npm',
      'package.json',
      '{\n  "overrides": {\n    "a": "1"\n  }\n}\n',
      'a',
      '{\n  "overrides": {\n    "a": "1.5.0"\n  }\n}\n',
    ],
    ['Go', 'go.mod', 'module m\n', 'x.org/a', 'module m\nrequire x.org/a v1.5.0 // indirect\n'],
    ['PyPI', 'requirements.txt', 'b==1', 'a', 'b==1\na>=1.5.0\n'],
  ])('%s: %s %j', (ecosystem, file, text, name, expected) => {
    const result = raise(ecosystem, file, text, name, '1.5.0', true)
    expect(result).toBe(expected)
    if (ecosystem === 'npm') expect(() => JSON.parse(result)).not.toThrow()
  })
})

describe('a pin', () => {
  const npm = EDITORS.npm![0]!
  const wanted = { ecosystem: 'npm', name: 'a', version: '1.0.0', to: '1.5.0', others: ['2.3.0'] }

  it('of npm leaves other versions of the package as they are', () => {
    expect(npm.pin!('{}', wanted, new Set(['package-lock.json']))).toMatchObject({
      to: 'overrides: "a@1.0.0": "1.5.0"',
    })
  })

  it('of yarn is refused where it would set another version back', () => {
    expect(npm.pin!('{}', wanted, new Set(['yarn.lock']))).toEqual({
      refusal: 'resolutions would also set 2.3.0 to 1.5.0',
    })
  })
})
