import type { Ecosystem } from './component.ts'
import type { Parser } from './parsed.ts'

/** A format of manifests or lock files: which files are in it, and what reads them. */
export interface Format {
  id: string
  /** Of what its files name, where a file does not say another. */
  ecosystem: Ecosystem
  /** Formats of one family complete each other. */
  family: string
  kind: 'lock' | 'manifest'
  /** Names of files, or globs from the root where there is a slash; `*` stands for any characters of a name. */
  files: readonly string[]
  /** A lock file holds for projects in directories below it too. */
  workspaces?: true
  /** The file that counts instead where both are in one directory. */
  yieldsTo?: string
  /** Absent for a format that is known and not read: `unread` says what to do. */
  load?: () => Promise<Parser>
  unread?: string
}

type Row = Omit<Format, 'id' | 'ecosystem' | 'family' | 'kind' | 'files'>

const lock = (id: string, ecosystem: Ecosystem, family: string, files: string[], row: Row): Format => ({
  ...{ id, ecosystem, family, kind: 'lock', files },
  ...row,
})
const manifest = (id: string, ecosystem: Ecosystem, family: string, files: string[], row: Row): Format => ({
  ...{ id, ecosystem, family, kind: 'manifest', files },
  ...row,
})

/** All formats. The first that takes a file reads it. */
export const FORMATS: readonly Format[] = [
  lock('npm-shrinkwrap', 'npm', 'npm', ['npm-shrinkwrap.json'], {
    workspaces: true,
    load: () => import('./formats/npm-lock.ts'),
  }),
  lock('npm-lock', 'npm', 'npm', ['package-lock.json'], {
    workspaces: true,
    yieldsTo: 'npm-shrinkwrap.json',
    load: () => import('./formats/npm-lock.ts'),
  }),
  lock('yarn-lock', 'npm', 'npm', ['yarn.lock'], { workspaces: true, load: () => import('./formats/yarn-lock.ts') }),
  lock('pnpm-lock', 'npm', 'npm', ['pnpm-lock.yaml'], {
    workspaces: true,
    load: () => import('./formats/pnpm-lock.ts'),
  }),
  lock('bun-lock', 'npm', 'npm', ['bun.lock'], { workspaces: true, load: () => import('./formats/bun-lock.ts') }),
  lock('bun-lockb', 'npm', 'npm', ['bun.lockb'], {
    unread: 'the binary form is not read: write the text form with `bun install --save-text-lockfile`',
  }),
  manifest('package-json', 'npm', 'npm', ['package.json'], { load: () => import('./formats/package-json.ts') }),
  lock('deno-lock', 'Deno', 'deno', ['deno.lock'], { workspaces: true, load: () => import('./formats/deno.ts') }),
  manifest('deno-json', 'Deno', 'deno', ['deno.json', 'deno.jsonc'], { load: () => import('./formats/deno.ts') }),
  manifest(
    'requirements',
    'PyPI',
    'pip',
    ['*requirements*.txt', '*requirements*.in', '*constraints*.txt', '**/requirements/*.txt', '**/requirements/*.in'],
    { load: () => import('./formats/requirements.ts') },
  ),
  lock('pipfile-lock', 'PyPI', 'pipenv', ['Pipfile.lock'], { load: () => import('./formats/pipfile-lock.ts') }),
  manifest('pipfile', 'PyPI', 'pipenv', ['Pipfile'], { load: () => import('./formats/pipfile.ts') }),
  lock('poetry-lock', 'PyPI', 'python', ['poetry.lock'], { load: () => import('./formats/python-lock.ts') }),
  lock('uv-lock', 'PyPI', 'python', ['uv.lock'], { workspaces: true, load: () => import('./formats/python-lock.ts') }),
  lock('pdm-lock', 'PyPI', 'python', ['pdm.lock'], { load: () => import('./formats/python-lock.ts') }),
  lock('pylock', 'PyPI', 'python', ['pylock.toml', 'pylock.*.toml'], {
    load: () => import('./formats/python-lock.ts'),
  }),
  manifest('pyproject', 'PyPI', 'python', ['pyproject.toml'], { load: () => import('./formats/pyproject.ts') }),
  manifest('setup', 'PyPI', 'python', ['setup.cfg', 'setup.py'], { load: () => import('./formats/setup.ts') }),
  lock('conda-lock', 'Conda', 'conda', ['conda-lock.yml', 'conda-lock.yaml'], {
    load: () => import('./formats/conda.ts'),
  }),
  lock('conda-meta', 'Conda', 'conda-meta', ['**/conda-meta/*.json'], { load: () => import('./formats/conda.ts') }),
  manifest('conda', 'Conda', 'conda', ['environment*.yml', 'environment*.yaml'], {
    load: () => import('./formats/conda.ts'),
  }),
  manifest('go-mod', 'Go', 'go', ['go.mod'], { load: () => import('./formats/go-mod.ts') }),
  lock('go-vendor', 'Go', 'go', ['**/vendor/modules.txt'], { load: () => import('./formats/go-vendor.ts') }),
  manifest('go-work', 'Go', 'go', ['go.work'], { load: () => import('./formats/go-work.ts') }),
  manifest('pom', 'Maven', 'maven', ['pom.xml'], { load: () => import('./formats/pom.ts') }),
  lock(
    'gradle-lock',
    'Maven',
    'gradle',
    ['gradle.lockfile', 'buildscript-gradle.lockfile', '**/dependency-locks/*.lockfile'],
    { load: () => import('./formats/gradle.ts') },
  ),
  lock('gradle-verification', 'Maven', 'gradle', ['verification-metadata.xml'], {
    workspaces: true,
    load: () => import('./formats/gradle.ts'),
  }),
  manifest('gradle-catalog', 'Maven', 'gradle', ['*.versions.toml'], { load: () => import('./formats/gradle.ts') }),
  manifest('gradle', 'Maven', 'gradle', ['build.gradle', 'build.gradle.kts'], {
    unread: 'it is a program: write a lock file with `gradle dependencies --write-locks`',
  }),
  lock('sbt-lock', 'Maven', 'sbt', ['build.sbt.lock'], { load: () => import('./formats/sbt.ts') }),
  manifest('sbt', 'Maven', 'sbt', ['*.sbt'], { load: () => import('./formats/sbt.ts') }),
  lock('cargo-lock', 'crates.io', 'cargo', ['Cargo.lock'], {
    workspaces: true,
    load: () => import('./formats/cargo-lock.ts'),
  }),
  manifest('cargo', 'crates.io', 'cargo', ['Cargo.toml'], { load: () => import('./formats/cargo-toml.ts') }),
  lock('gemfile-lock', 'RubyGems', 'ruby', ['Gemfile.lock', 'gems.locked'], {
    load: () => import('./formats/gemfile-lock.ts'),
  }),
  manifest('gemfile', 'RubyGems', 'ruby', ['Gemfile', 'gems.rb'], { load: () => import('./formats/gemfile.ts') }),
  lock('composer-lock', 'Packagist', 'php', ['composer.lock'], { load: () => import('./formats/composer.ts') }),
  manifest('composer', 'Packagist', 'php', ['composer.json'], { load: () => import('./formats/composer.ts') }),
  lock('nuget-lock', 'NuGet', 'dotnet', ['packages.lock.json', 'packages.*.lock.json'], {
    load: () => import('./formats/nuget-lock.ts'),
  }),
  lock('nuget-deps', 'NuGet', 'dotnet-build', ['*.deps.json'], { load: () => import('./formats/nuget-deps.ts') }),
  manifest(
    'nuget',
    'NuGet',
    'dotnet',
    [
      'packages.config',
      '*.csproj',
      '*.fsproj',
      '*.vbproj',
      'Directory.Packages.props',
      'Directory.Build.props',
      'Directory.Build.targets',
    ],
    { load: () => import('./formats/nuget-project.ts') },
  ),
  lock('paket-lock', 'NuGet', 'paket', ['paket.lock'], { load: () => import('./formats/paket.ts') }),
  manifest('paket', 'NuGet', 'paket', ['paket.dependencies'], { load: () => import('./formats/paket.ts') }),
  lock('swift', 'SwiftURL', 'swift', ['Package.resolved'], { load: () => import('./formats/swift.ts') }),
  manifest('swift-package', 'SwiftURL', 'swift', ['Package.swift'], {
    unread: 'it is a program: commit Package.resolved',
  }),
  lock('podfile-lock', 'CocoaPods', 'cocoapods', ['Podfile.lock'], { load: () => import('./formats/podfile-lock.ts') }),
  manifest('podfile', 'CocoaPods', 'cocoapods', ['Podfile'], { unread: 'it is a program: commit Podfile.lock' }),
  lock('carthage', 'Carthage', 'carthage', ['Cartfile.resolved'], { load: () => import('./formats/carthage.ts') }),
  manifest('cartfile', 'Carthage', 'carthage', ['Cartfile'], { unread: 'commit Cartfile.resolved' }),
  lock('pub-lock', 'Pub', 'pub', ['pubspec.lock'], { workspaces: true, load: () => import('./formats/pub.ts') }),
  manifest('pub', 'Pub', 'pub', ['pubspec.yaml'], { load: () => import('./formats/pub.ts') }),
  lock('mix-lock', 'Hex', 'mix', ['mix.lock'], { workspaces: true, load: () => import('./formats/mix-lock.ts') }),
  manifest('mix', 'Hex', 'mix', ['mix.exs'], { unread: 'it is a program: commit mix.lock' }),
  lock('rebar-lock', 'Hex', 'rebar', ['rebar.lock'], { load: () => import('./formats/rebar-lock.ts') }),
  manifest('rebar', 'Hex', 'rebar', ['rebar.config'], { unread: 'commit rebar.lock' }),
  lock('gleam-lock', 'Hex', 'gleam', ['manifest.toml'], { load: () => import('./formats/gleam.ts') }),
  manifest('gleam', 'Hex', 'gleam', ['gleam.toml'], { load: () => import('./formats/gleam.ts') }),
  lock('conan-lock', 'ConanCenter', 'conan', ['conan.lock'], { load: () => import('./formats/conan.ts') }),
  manifest('conan', 'ConanCenter', 'conan', ['conanfile.txt'], { load: () => import('./formats/conan.ts') }),
  manifest('conan-recipe', 'ConanCenter', 'conan', ['conanfile.py'], {
    unread: 'it is a program: write a lock file with `conan lock create`',
  }),
  manifest('vcpkg', 'vcpkg', 'vcpkg', ['vcpkg.json'], { load: () => import('./formats/vcpkg.ts') }),
  lock('stack-lock', 'Hackage', 'haskell', ['stack.yaml.lock'], {
    workspaces: true,
    load: () => import('./formats/haskell.ts'),
  }),
  lock('cabal-freeze', 'Hackage', 'haskell', ['cabal.project.freeze'], {
    workspaces: true,
    load: () => import('./formats/haskell.ts'),
  }),
  manifest('cabal', 'Hackage', 'haskell', ['*.cabal', 'stack.yaml'], {
    unread: 'commit stack.yaml.lock, or write cabal.project.freeze with `cabal freeze`',
  }),
  lock('renv-lock', 'CRAN', 'renv', ['renv.lock'], { load: () => import('./formats/renv.ts') }),
  lock('julia-lock', 'Julia', 'julia', ['Manifest.toml', 'JuliaManifest.toml'], {
    load: () => import('./formats/julia.ts'),
  }),
  manifest('julia', 'Julia', 'julia', ['Project.toml', 'JuliaProject.toml'], {
    load: () => import('./formats/julia.ts'),
  }),
  lock('nix-flake', 'Git', 'nix', ['flake.lock'], { load: () => import('./formats/nix-flake.ts') }),
  lock('terraform-lock', 'Terraform', 'terraform', ['.terraform.lock.hcl'], {
    load: () => import('./formats/terraform.ts'),
  }),
  manifest('terraform', 'Terraform', 'terraform', ['*.tf'], { load: () => import('./formats/terraform.ts') }),
  lock('helm-lock', 'Helm', 'helm', ['Chart.lock', 'requirements.lock'], { load: () => import('./formats/helm.ts') }),
  manifest('helm', 'Helm', 'helm', ['Chart.yaml'], { load: () => import('./formats/helm.ts') }),
  manifest(
    'github-actions',
    'GitHub Actions',
    'actions',
    ['.github/workflows/*.yml', '.github/workflows/*.yaml', 'action.yml', 'action.yaml'],
    { load: () => import('./formats/actions.ts') },
  ),
  manifest(
    'dockerfile',
    'Docker',
    'docker',
    ['Dockerfile', 'Containerfile', 'Dockerfile.*', '*.Dockerfile', '*.dockerfile'],
    { load: () => import('./formats/dockerfile.ts') },
  ),
  manifest('git-submodules', 'Git', 'submodules', ['.gitmodules'], { load: () => import('./formats/submodules.ts') }),
  manifest('pre-commit', 'Git', 'pre-commit', ['.pre-commit-config.yaml', '.pre-commit-config.yml'], {
    load: () => import('./formats/pre-commit.ts'),
  }),
  lock('opam', 'opam', 'opam', ['*.opam.locked', '*.install'], { load: () => import('./formats/opam.ts') }),
  lock('cpan', 'CPAN', 'cpan', ['META.json', 'META.yml', 'MYMETA.json', 'MYMETA.yml'], {
    load: () => import('./formats/cpan.ts'),
  }),
]
