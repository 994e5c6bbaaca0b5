import type { Ecosystem } from '../../base/technologies/frameworks.ts'

/** A file that declares dependencies, and the words that it has for them. */
export interface Manifest {
  ecosystem: Ecosystem
  /** Base names. */
  files: RegExp
}

export const MANIFESTS: readonly Manifest[] = [
  { ecosystem: 'npm', files: /^package\.json$/ },
  { ecosystem: 'python', files: /^(?:pyproject\.toml|setup\.py|setup\.cfg|Pipfile|requirements[\w.-]*\.(?:txt|in))$/ },
  { ecosystem: 'go', files: /^go\.mod$/ },
  { ecosystem: 'jvm', files: /^(?:pom\.xml|build\.gradle(?:\.kts)?|libs\.versions\.toml|build\.sbt)$/ },
  { ecosystem: 'ruby', files: /^(?:Gemfile|[\w.-]+\.gemspec)$/ },
  { ecosystem: 'php', files: /^composer\.json$/ },
  { ecosystem: 'rust', files: /^Cargo\.toml$/ },
  { ecosystem: 'dotnet', files: /\.(?:csproj|fsproj|vbproj)$|^Directory\.Packages\.props$/ },
  { ecosystem: 'dart', files: /^pubspec\.yaml$/ },
]

/** A tool that a file at the root or in a package shows. */
export interface FileMark {
  name: string
  files: RegExp
  example: string
}

export const BUILD_TOOLS: readonly FileMark[] = [
  { name: 'Make', files: /^(?:GNU)?[Mm]akefile$/, example: 'Makefile' },
  { name: 'CMake', files: /^CMakeLists\.txt$/, example: 'CMakeLists.txt' },
  { name: 'Meson', files: /^meson\.build$/, example: 'meson.build' },
  { name: 'Bazel', files: /^(?:WORKSPACE|MODULE)(?:\.bazel)?$/, example: 'MODULE.bazel' },
  { name: 'Maven', files: /^pom\.xml$/, example: 'pom.xml' },
  { name: 'Gradle', files: /^build\.gradle(?:\.kts)?$/, example: 'build.gradle.kts' },
  { name: 'sbt', files: /^build\.sbt$/, example: 'build.sbt' },
  { name: 'Vite', files: /^vite\.config\.\w+$/, example: 'vite.config.ts' },
  { name: 'webpack', files: /^webpack\.config\.\w+$/, example: 'webpack.config.js' },
  { name: 'Rollup', files: /^rollup\.config\.\w+$/, example: 'rollup.config.mjs' },
  { name: 'TypeScript', files: /^tsconfig\.json$/, example: 'tsconfig.json' },
  { name: 'Nx', files: /^nx\.json$/, example: 'nx.json' },
  { name: 'Turborepo', files: /^turbo\.json$/, example: 'turbo.json' },
  { name: 'just', files: /^[Jj]ustfile$/, example: 'justfile' },
  { name: 'Rake', files: /^Rakefile$/, example: 'Rakefile' },
  { name: 'Docker', files: /^(?:Dockerfile|Containerfile)(?:\.[\w-]+)?$/, example: 'Dockerfile' },
  { name: 'tox', files: /^tox\.ini$/, example: 'tox.ini' },
]

export const PACKAGE_MANAGERS: readonly FileMark[] = [
  { name: 'npm', files: /^(?:package-lock|npm-shrinkwrap)\.json$/, example: 'package-lock.json' },
  { name: 'Yarn', files: /^yarn\.lock$/, example: 'yarn.lock' },
  { name: 'pnpm', files: /^pnpm-lock\.yaml$/, example: 'pnpm-lock.yaml' },
  { name: 'Bun', files: /^bun\.lockb?$/, example: 'bun.lock' },
  { name: 'Poetry', files: /^poetry\.lock$/, example: 'poetry.lock' },
  { name: 'uv', files: /^uv\.lock$/, example: 'uv.lock' },
  { name: 'Pipenv', files: /^Pipfile(?:\.lock)?$/, example: 'Pipfile.lock' },
  { name: 'pip', files: /^requirements[\w.-]*\.txt$/, example: 'requirements.txt' },
  { name: 'Go modules', files: /^go\.mod$/, example: 'go.mod' },
  { name: 'Cargo', files: /^Cargo\.(?:toml|lock)$/, example: 'Cargo.lock' },
  { name: 'Bundler', files: /^Gemfile(?:\.lock)?$/, example: 'Gemfile.lock' },
  { name: 'Composer', files: /^composer\.(?:json|lock)$/, example: 'composer.lock' },
  { name: 'NuGet', files: /\.csproj$|^packages\.lock\.json$/, example: 'App.csproj' },
  { name: 'Conan', files: /^conanfile\.(?:txt|py)$/, example: 'conanfile.txt' },
  { name: 'vcpkg', files: /^vcpkg\.json$/, example: 'vcpkg.json' },
]

/** An architecture pattern, by directories that occur together: at least `least` of them, below one parent. */
export interface PatternForm {
  name: string
  directories: readonly string[]
  least: number
  example: readonly string[]
}

export const PATTERNS: readonly PatternForm[] = [
  {
    name: 'Model–view–controller',
    directories: ['models', 'views', 'controllers'],
    least: 3,
    example: ['app/models/a.rb', 'app/views/a.erb', 'app/controllers/a.rb'],
  },
  {
    name: 'Layered architecture',
    directories: ['controllers', 'services', 'repositories', 'controller', 'service', 'repository', 'handlers'],
    least: 2,
    example: ['src/controller/A.java', 'src/service/A.java'],
  },
  {
    name: 'Hexagonal architecture',
    directories: ['domain', 'ports', 'adapters', 'port', 'adapter'],
    least: 2,
    example: ['src/domain/a.ts', 'src/adapters/b.ts'],
  },
  {
    name: 'Clean architecture',
    directories: ['domain', 'application', 'infrastructure', 'usecases', 'use_cases', 'entities'],
    least: 3,
    example: ['src/domain/a.ts', 'src/application/b.ts', 'src/infrastructure/c.ts'],
  },
  { name: 'CQRS', directories: ['commands', 'queries'], least: 2, example: ['src/commands/a.ts', 'src/queries/b.ts'] },
  {
    name: 'Go standard layout',
    directories: ['cmd', 'internal', 'pkg'],
    least: 2,
    example: ['cmd/app/main.go', 'internal/a/a.go'],
  },
  {
    name: 'Monorepo with packages',
    directories: ['packages', 'apps', 'libs'],
    least: 2,
    example: ['packages/a/x.ts', 'apps/b/y.ts'],
  },
]

/** Directories in which architecture decision records stand, and what one is called. */
export const ADR_PATH =
  /(?:^|\/)(?:adrs?|decisions|architecture[-_]decisions|decision-records)\/(?:[^/]+\/)*[^/]+\.(?:md|adoc|rst|txt)$/i

/** What a directory is for, by its name. */
export const PURPOSES: readonly { names: readonly string[]; purpose: string }[] = [
  { names: ['src', 'lib', 'source'], purpose: 'source code' },
  { names: ['test', 'tests', 'spec', '__tests__', 'e2e'], purpose: 'tests' },
  { names: ['docs', 'doc', 'documentation'], purpose: 'documentation' },
  { names: ['api', 'routes', 'handlers', 'controllers', 'endpoints'], purpose: 'interface to clients' },
  { names: ['cmd', 'cli', 'bin', 'main'], purpose: 'programs and command line' },
  { names: ['internal', 'core', 'engine', 'domain'], purpose: 'core of the program' },
  { names: ['pkg', 'packages', 'libs', 'modules', 'crates'], purpose: 'packages' },
  { names: ['apps', 'services'], purpose: 'applications' },
  {
    names: ['web', 'frontend', 'ui', 'client', 'components', 'views', 'pages', 'templates'],
    purpose: 'user interface',
  },
  { names: ['models', 'entities', 'schema', 'schemas'], purpose: 'data model' },
  { names: ['db', 'database', 'migrations', 'repositories'], purpose: 'database' },
  { names: ['config', 'configs', 'settings'], purpose: 'configuration' },
  { names: ['scripts', 'tools', 'hack', 'build'], purpose: 'tools and scripts' },
  { names: ['deploy', 'deployment', 'infra', 'terraform', 'k8s', 'helm', 'charts', 'docker'], purpose: 'deployment' },
  { names: ['examples', 'samples', 'demo'], purpose: 'examples' },
  { names: ['bench', 'benchmarks'], purpose: 'benchmarks' },
  { names: ['vendor', 'third_party', 'external'], purpose: 'code of others' },
  { names: ['assets', 'static', 'public', 'resources', 'images'], purpose: 'assets' },
  { names: ['.github', '.gitlab', '.circleci', 'ci'], purpose: 'continuous integration' },
]
