/** A small file of each format, with the packages that it names: what the format's own documentation shows, made small. */
export const SAMPLES: Record<string, { text: string; names: string[] }> = {
  'package-lock.json': {
    text: '{"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0","dependencies":{"b":"*"}},"node_modules/b":{"version":"2.0.0"}}}',
    names: ['a@1.0.0', 'b@2.0.0'],
  },
  'yarn.lock': {
    text: '# yarn lockfile v1\n\na@^1.0.0, a@~1.0:\n  version "1.0.1"\n  dependencies:\n    "@s/b" "^2.0.0"\n\n"@s/b@^2.0.0":\n  version "2.0.0"\n',
    names: ['@s/b@2.0.0', 'a@1.0.1'],
  },
  'berry/yarn.lock': {
    text: '__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: 1.0.0\n  resolution: "a@npm:1.0.0"\n  dependencies:\n    b: "npm:^2.0.0"\n\n"b@npm:^2.0.0":\n  version: 2.0.0\n  resolution: "b@npm:2.0.0"\n',
    names: ['a@1.0.0', 'b@2.0.0'],
  },
  'pnpm-lock.yaml': {
    text: "lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a:\n        specifier: ^1.0.0\n        version: 1.0.0\npackages:\n  a@1.0.0:\n    resolution: {integrity: sha512-x}\n  '@s/b@2.0.0':\n    resolution: {integrity: sha512-x}\nsnapshots:\n  a@1.0.0:\n    dependencies:\n      '@s/b': 2.0.0\n  '@s/b@2.0.0': {}\n",
    names: ['@s/b@2.0.0', 'a@1.0.0'],
  },
  'bun.lock': {
    text: '{\n  "lockfileVersion": 1,\n  "workspaces": { "": { "dependencies": { "a": "^1.0.0", }, }, },\n  "packages": {\n    "a": ["a@1.0.0", "", {}, "sha512-x"],\n  },\n}',
    names: ['a@1.0.0'],
  },
  'deno.lock': {
    text: '{"version":"5","specifiers":{"jsr:@std/path@1":"1.0.2"},"jsr":{"@std/path@1.0.2":{"integrity":"x"}},"npm":{"a@1.0.0":{"integrity":"sha512-x"}}}',
    names: ['@std/path@1.0.2', 'a@1.0.0'],
  },
  'requirements.txt': {
    text:
      'A.b==1.0 \\\n    --hash=sha256:' +
      'ab'.repeat(32) +
      '\nc[x]>=2 ; python_version < "3"  # why\n-e git+https://example.org/o/d@v1#egg=d\n',
    names: ['A.b@1.0', 'c@', 'd@'],
  },
  'Pipfile.lock': {
    text: '{"default":{"a":{"version":"==1.0"}},"develop":{"b":{"version":"==2.0"}}}',
    names: ['a@1.0', 'b@2.0'],
  },
  Pipfile: { text: '[packages]\na = "==1.0"\n[dev-packages]\nb = "*"\n', names: ['a@1.0', 'b@'] },
  'poetry.lock': {
    text: '[[package]]\nname = "a"\nversion = "1.0"\n[package.dependencies]\nb = ">=1"\n\n[[package]]\nname = "b"\nversion = "2.0"\n',
    names: ['a@1.0', 'b@2.0'],
  },
  'uv.lock': {
    text: 'version = 1\n[[package]]\nname = "app"\nversion = "0.1"\nsource = { virtual = "." }\ndependencies = [{ name = "a" }]\n[[package]]\nname = "a"\nversion = "1.0"\nsource = { registry = "https://example.org/simple" }\n',
    names: ['a@1.0'],
  },
  'pyproject.toml': {
    text: '[project]\nname = "x"\ndependencies = ["a==1.0", "b>=2"]\n[tool.poetry.group.test.dependencies]\nc = "3.0"\n',
    names: ['a@1.0', 'b@', 'c@3.0'],
  },
  'environment.yml': { text: 'name: x\ndependencies:\n  - a=1.0\n  - pip:\n    - b==2.0\n', names: ['a@1.0', 'b@2.0'] },
  'setup.cfg': { text: '[options]\ninstall_requires =\n    a==1.0\n    b>=2\n', names: ['a@1.0', 'b@'] },
  'setup.py': { text: "setup(\n    install_requires=[\n        'a==1.0',  # x\n    ],\n)\n", names: ['a@1.0'] },
  'go.mod': {
    text: 'module example.org/m\n\nrequire (\n\texample.org/a v1.0.0\n\texample.org/b v2.0.0 // indirect\n)\n\nreplace example.org/b => example.org/c v3.0.0\n',
    names: ['example.org/a@1.0.0', 'example.org/c@3.0.0'],
  },
  'pom.xml': {
    text: '<project><groupId>g</groupId><artifactId>p</artifactId><properties><v>1.0</v></properties><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>${v}</version></dependency></dependencies></project>',
    names: ['g:a@1.0'],
  },
  'gradle.lockfile': { text: '# comment\ng:a:1.0=compileClasspath\nempty=annotationProcessor\n', names: ['g:a@1.0'] },
  'libs.versions.toml': {
    text: '[versions]\nx = "1.0"\n[libraries]\na = { module = "g:a", version.ref = "x" }\n',
    names: ['g:a@1.0'],
  },
  'verification-metadata.xml': {
    text:
      '<verification-metadata><components><component group="g" name="a" version="1.0"><artifact name="a.jar"><sha256 value="' +
      'ab'.repeat(32) +
      '"/></artifact></component></components></verification-metadata>',
    names: ['g:a@1.0'],
  },
  'build.sbt': {
    text: 'scalaVersion := "2.13.1"\nval v = "1.0"\nlibraryDependencies += "g" %% "a" % v\nlibraryDependencies += "g" % "b" % "2.0" % Test\n',
    names: ['g:a_2.13@1.0', 'g:b@2.0'],
  },
  'Cargo.lock': {
    text:
      '[[package]]\nname = "app"\nversion = "0.1.0"\ndependencies = ["a"]\n[[package]]\nname = "a"\nversion = "1.0.0"\nsource = "registry+https://example.org/index"\nchecksum = "' +
      'ab'.repeat(32) +
      '"\n',
    names: ['a@1.0.0'],
  },
  'Cargo.toml': {
    text: '[package]\nname = "app"\n[dependencies]\na = "=1.0.0"\n[dev-dependencies]\nb = { version = "2" }\n',
    names: ['a@1.0.0', 'b@'],
  },
  'Gemfile.lock': {
    text: 'GEM\n  remote: https://example.org/\n  specs:\n    a (1.0)\n      b (>= 1)\n    b (2.0)\n\nDEPENDENCIES\n  a\n',
    names: ['a@1.0', 'b@2.0'],
  },
  Gemfile: { text: "gem 'a', '1.0'\ngroup :test do\n  gem 'b'\nend\n", names: ['a@1.0', 'b@'] },
  'composer.lock': {
    text: '{"packages":[{"name":"v/a","version":"v1.0","require":{"php":"*","v/b":"*"}}],"packages-dev":[{"name":"v/b","version":"2.0"}]}',
    names: ['v/a@1.0', 'v/b@2.0'],
  },
  'packages.lock.json': {
    text: '{"version":1,"dependencies":{"net8.0":{"A":{"type":"Direct","resolved":"1.0","dependencies":{"B":"2.0"}},"B":{"type":"Transitive","resolved":"2.0"}}}}',
    names: ['A@1.0', 'B@2.0'],
  },
  'a.csproj': {
    text: '<Project><ItemGroup><PackageReference Include="A" Version="1.0" /></ItemGroup></Project>',
    names: ['A@1.0'],
  },
  'a.deps.json': {
    text: '{"runtimeTarget":{"name":"t"},"targets":{"t":{"app/1":{"dependencies":{"A":"1.0"}},"A/1.0":{}}},"libraries":{"app/1":{"type":"project"},"A/1.0":{"type":"package"}}}',
    names: ['A@1.0'],
  },
  'Package.resolved': {
    text: '{"version":2,"pins":[{"identity":"a","location":"https://example.org/o/a.git","state":{"version":"1.0","revision":"abc"}}]}',
    names: ['example.org/o/a@1.0'],
  },
  'Podfile.lock': {
    text: 'PODS:\n  - A (1.0):\n    - B/Core (~> 2)\n  - B/Core (2.0)\n\nDEPENDENCIES:\n  - A\n',
    names: ['A@1.0', 'B@2.0'],
  },
  'Cartfile.resolved': { text: 'github "o/a" "1.0"\n', names: ['o/a@1.0'] },
  'pubspec.lock': {
    text: 'packages:\n  a:\n    dependency: "direct main"\n    description:\n      name: a\n    source: hosted\n    version: "1.0.0"\n',
    names: ['a@1.0.0'],
  },
  'mix.lock': {
    text: `%{\n  "a": {:hex, :a, "1.0.0", "${'ab'.repeat(32)}", [:mix], [], "hexpm", "${'cd'.repeat(32)}"},\n}\n`,
    names: ['a@1.0.0'],
  },
  'rebar.lock': { text: '{"1.2.0",\n[{<<"a">>,{pkg,<<"a">>,<<"1.0">>},0}]}.\n', names: ['a@1.0'] },
  'conan.lock': {
    text: '{"version":"0.5","requires":["a/1.0#abc"],"build_requires":["b/2.0"]}',
    names: ['a@1.0', 'b@2.0'],
  },
  'conanfile.txt': { text: '[requires]\na/1.0\nb/[>=2]\n', names: ['a@1.0', 'b@'] },
  'vcpkg.json': {
    text: '{"name":"x","dependencies":["a",{"name":"b"}],"overrides":[{"name":"a","version":"1.0"}]}',
    names: ['a@1.0', 'b@'],
  },
  'stack.yaml.lock': {
    text: `packages:\n- completed:\n    hackage: a-b-1.0@sha256:${'ab'.repeat(32)},1\n`,
    names: ['a-b@1.0'],
  },
  'cabal.project.freeze': { text: 'constraints: any.a ==1.0,\n             any.b ==2.0\n', names: ['a@1.0', 'b@2.0'] },
  'renv.lock': { text: '{"Packages":{"a":{"Package":"a","Version":"1.0","Source":"Repository"}}}', names: ['a@1.0'] },
  'Manifest.toml': { text: 'manifest_format = "2.0"\n[[deps.A]]\nuuid = "u"\nversion = "1.0.0"\n', names: ['A@1.0.0'] },
  'flake.lock': {
    text: '{"nodes":{"root":{"inputs":{"a":"a"}},"a":{"locked":{"type":"github","owner":"o","repo":"r","rev":"abc"}}},"root":"root"}',
    names: ['o/r@abc'],
  },
  '.terraform.lock.hcl': {
    text: 'provider "example.org/o/a" {\n  version = "1.0.0"\n}\n',
    names: ['example.org/o/a@1.0.0'],
  },
  'main.tf': {
    text: 'terraform {\n  required_providers {\n    a = {\n      source = "o/a"\n      version = "~> 1.0"\n    }\n  }\n}\n',
    names: ['o/a@'],
  },
  'Chart.yaml': {
    text: 'name: x\nversion: 1.0.0\ndependencies:\n  - name: a\n    version: 1.0.0\n',
    names: ['a@1.0.0'],
  },
  '.github/workflows/a.yml': {
    text: 'jobs:\n  a:\n    steps:\n      - uses: o/a@v1\n      - uses: ./local\n',
    names: ['o/a@v1'],
  },
  Dockerfile: {
    text: 'ARG V=20\nFROM node:${V} AS build\nFROM build\nCOPY --from=nginx:1.2 /a /b\n',
    names: ['nginx@1.2', 'node@20'],
  },
  '.gitmodules': { text: '[submodule "a"]\n\tpath = a\n\turl = https://github.com/o/a.git\n', names: ['o/a@'] },
  '.pre-commit-config.yaml': { text: 'repos:\n  - repo: https://github.com/o/a\n    rev: v1\n', names: ['o/a@v1'] },
  'npm-shrinkwrap.json': {
    text: '{"lockfileVersion":1,"dependencies":{"a":{"version":"1.0.0","requires":{"b":"*"},"dependencies":{"b":{"version":"2.0.0"}}}}}',
    names: ['a@1.0.0', 'b@2.0.0'],
  },
  'package.json': {
    text: '{"name":"x","workspaces":["p/*"],"dependencies":{"a":"1.0.0","b":"npm:c@^2"},"peerDependencies":{"d":"*"}}',
    names: ['a@1.0.0', 'c@', 'd@'],
  },
  'deno.json': { text: '{"imports":{"a":"jsr:@s/a@1.0.0","b":"npm:b@^2"}} // x\n', names: ['@s/a@1.0.0', 'b@'] },
  'pdm.lock': {
    text: '[[package]]\nname = "a"\nversion = "1.0"\ngroups = ["default"]\ndependencies = ["b>=1"]\n[[package]]\nname = "b"\nversion = "2.0"\n[metadata]\n',
    names: ['a@1.0', 'b@2.0'],
  },
  'pylock.toml': {
    text: 'lock-version = "1.0"\n[[packages]]\nname = "a"\nversion = "1.0"\nwheels = [{ url = "https://e.org/a.whl", hashes = { sha256 = "ab" } }]\n',
    names: ['a@1.0'],
  },
  'conda-lock.yml': {
    text: 'package:\n- name: a\n  version: "1.0"\n  manager: conda\n  url: https://e.org/a\n- name: b\n  version: "2.0"\n  manager: pip\n',
    names: ['a@1.0', 'b@2.0'],
  },
  'conda-meta/a.json': { text: '{\n"name": "a", "version": "1.0"}', names: ['a@1.0'] },
  'vendor/modules.txt': {
    text: '# e.org/a v1.0.0\n## explicit\ne.org/a\n# e.org/b v1.0.0 => e.org/c v2.0.0\n',
    names: ['e.org/a@1.0.0', 'e.org/c@2.0.0'],
  },
  'go.work': { text: 'go 1.22\nuse ./a\n', names: [] },
  'build.sbt.lock': {
    text: '{"dependencies":[{"org":"g","name":"a","version":"1.0","configurations":["test"]}]}',
    names: ['g:a@1.0'],
  },
  'composer.json': {
    text: '{"name":"v/x","require":{"php":">=8","v/a":"1.0.0"},"require-dev":{"v/b":"^2"}}',
    names: ['v/a@1.0.0', 'v/b@'],
  },
  'paket.lock': {
    text: 'NUGET\n  remote: https://e.org\n    a (1.0)\n      b (>= 1)\n    b (2.0)\n',
    names: ['a@1.0', 'b@2.0'],
  },
  'paket.dependencies': { text: 'source https://e.org\nnuget a 1.0\nnuget b ~> 2\n', names: ['a@1.0', 'b@'] },
  'pubspec.yaml': {
    text: 'name: x\ndependencies:\n  a: 1.0.0\n  b:\n    git: https://e.org/b\ndev_dependencies:\n  c: ^2.0.0\n',
    names: ['a@1.0.0', 'b@', 'c@'],
  },
  'manifest.toml': {
    text: 'packages = [\n  { name = "a", version = "1.0", requirements = ["b"] },\n  { name = "b", version = "2.0", requirements = [] },\n]\n[requirements]\na = { version = "1.0" }\n',
    names: ['a@1.0', 'b@2.0'],
  },
  'gleam.toml': {
    text: 'name = "x"\n[dependencies]\na = "1.0"\nb = { git = "https://e.org/b", ref = "c" }\n',
    names: ['a@', 'b@'],
  },
  'Project.toml': { text: 'name = "X"\n[deps]\nA = "u"\n[compat]\nA = "1"\n', names: ['A@'] },
  'Chart.lock': {
    text: 'dependencies:\n- name: a\n  repository: https://e.org/charts\n  version: 1.0.0\ndigest: sha256:x\n',
    names: ['a@1.0.0'],
  },
  'x.opam.locked': { text: '# x\na.1.0\nb.2.0\n', names: ['a@1.0', 'b@2.0'] },
  'META.json': {
    text: '{"name":"A","version":"1.0","meta-spec":{"version":"2","url":"http://search.cpan.org/perldoc?CPAN::Meta::Spec"}}',
    names: ['A@1.0'],
  },
}
